// The page takes away its own network access before a file can be opened. Policies only tighten:
// nothing on the page can undo it, and workers made from now on inherit it.

/** Adds the policy `connect-src 'none'`. */
export function closeConnections() {
  const meta = document.createElement('meta');
  meta.httpEquiv = 'Content-Security-Policy';
  meta.content = "connect-src 'none'";
  document.head.append(meta);
}
