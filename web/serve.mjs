// Serves the built page on this machine.
//
//   node web/serve.mjs [FOLDER] [--port 8722]     default folder: build/page
//
// Takes the next free port when the wanted one is in use, and prints the address.

import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import { dirname, extname, join, normalize, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.wasm': 'application/wasm',
  '.svg': 'image/svg+xml',
  '.h5': 'application/x-hdf5',
};

/** The file behind a request's path, or undefined for anything outside the folder. */
export function fileOf(folder, url) {
  let path;
  try {
    path = decodeURIComponent(url.split(/[?#]/)[0]);
  } catch {
    return undefined;
  }
  if (path.includes('\0')) return undefined;
  const file = normalize(join(folder, path.endsWith('/') ? `${path}index.html` : path));
  return file === folder || file.startsWith(folder + sep) ? file : undefined;
}

/** A server over a folder; `log` hears of each request. */
export function createPageServer(folder, log = () => {}) {
  const base = resolve(folder);
  return createServer(async (request, response) => {
    const answer = (status, headers, body) => {
      log(request.url, status);
      response.writeHead(status, { 'cache-control': 'no-cache', 'x-content-type-options': 'nosniff', ...headers });
      if (body && request.method !== 'HEAD') body.pipe(response);
      else response.end();
    };
    if (request.method !== 'GET' && request.method !== 'HEAD') return answer(405, { allow: 'GET, HEAD' });
    const file = fileOf(base, request.url);
    const found = file && (await stat(file).catch(() => null));
    if (!found?.isFile()) return answer(404, { 'content-type': 'text/plain; charset=utf-8' });
    return answer(200, {
      'content-type': TYPES[extname(file)] ?? 'application/octet-stream', 'content-length': found.size,
    }, createReadStream(file));
  });
}

/** Listens on the port or one of the next hundred. */
export function listen(server, port, host = '127.0.0.1') {
  return new Promise((done, failed) => {
    let tries = 0;
    server.on('error', (error) => {
      if (error.code === 'EADDRINUSE' && port !== 0 && (tries += 1) < 100) server.listen(port + tries, host);
      else failed(error);
    });
    server.on('listening', () => done(server.address().port));
    server.listen(port, host);
  });
}

if (process.argv[1] && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const { values, positionals } = parseArgs({
    allowPositionals: true, options: { port: { type: 'string', default: '8722' } },
  });
  const root = dirname(dirname(fileURLToPath(import.meta.url)));
  const folder = positionals[0] ?? join(root, 'build/page');
  if (!(await stat(join(folder, 'index.html')).catch(() => null))) {
    console.error(`serve: no page in ${folder}; build it first (npm run build:page)`);
    process.exitCode = 1;
  } else {
    const port = await listen(createPageServer(folder), Number(values.port));
    console.log(`profscope: http://localhost:${port}/   (Ctrl-C ends)`);
  }
}
