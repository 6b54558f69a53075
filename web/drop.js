// Files from anywhere: dropped on the page, picked, pasted, whole folders.

import { h } from './dom.js';

/** Most files taken from one drop: a home directory should not be walked for minutes. */
const MAX_FILES = 500;

/** All files of a dropped entry, folders walked without recursion. */
async function walk(entries) {
  const files = [];
  const queue = [...entries];
  while (queue.length && files.length < MAX_FILES) {
    const entry = queue.shift();
    if (entry.isFile) files.push(await new Promise((done, failed) => entry.file(done, failed)));
    else if (entry.isDirectory) {
      const reader = entry.createReader();
      for (;;) {
        const some = await new Promise((done, failed) => reader.readEntries(done, failed));
        if (!some.length) break;
        queue.push(...some.sort((a, b) => compareNames(a.name, b.name)));
      }
    }
  }
  return files;
}

const collator = new Intl.Collator('en', { numeric: true });
const compareNames = (a, b) => collator.compare(a, b);

/** Files in a folder that may be profiles; others are left out without a word per file. */
const looksLikeProfile = (file) => /\.(h5|hdf5|hdf|he5|json|gz|spt)$/i.test(file.name);

/** What a drop or paste holds: files, and how many were left out of folders. */
export async function filesOf(transfer) {
  const items = [...(transfer.items ?? [])].filter((item) => item.kind === 'file');
  const entries = items.map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
  const folders = entries.filter((entry) => entry.isDirectory);
  if (!folders.length) return { files: [...transfer.files], skipped: 0, folders: 0 };
  const loose = await walk(entries.filter((entry) => entry.isFile));
  const walked = await walk(folders);
  const inside = walked.filter(looksLikeProfile);
  return { files: [...loose, ...inside], skipped: walked.length - inside.length, folders: folders.length };
}

const overlay = h('div', { class: 'drop-overlay', hidden: true, 'aria-hidden': 'true' },
  h('div', { class: 'drop-card' },
    h('strong', {}, 'Drop to open'),
    h('p', { class: 'drop-what' }, '')));

const carriesFiles = (event) => [...(event.dataTransfer?.types ?? [])].includes('Files');

/**
 * @param {object} handlers
 * @param {() => boolean} handlers.ready   May files be taken now?
 * @param {() => number} handlers.opened   How many runs are open.
 * @param {(taken: { files: File[], skipped: number, folders: number }) => void} handlers.onFiles
 */
export function acceptDrops({ ready, opened, onFiles }) {
  document.body.append(overlay);
  let depth = 0;
  const show = (event) => {
    const count = [...event.dataTransfer.items].filter((item) => item.kind === 'file').length;
    const what = count > 1 ? `${count} files` : 'the file';
    const then = opened() ? 'beside those already open' : 'in this tab';
    overlay.querySelector('.drop-what').textContent = ready()
      ? `Opens ${what} ${then}. Nothing is uploaded.`
      : 'One moment: the reader is still loading.';
    overlay.hidden = false;
  };
  const hide = () => {
    depth = 0;
    overlay.hidden = true;
  };
  addEventListener('dragenter', (event) => {
    if (!carriesFiles(event)) return;
    event.preventDefault();
    depth += 1;
    show(event);
  });
  addEventListener('dragover', (event) => {
    if (!carriesFiles(event)) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = ready() ? 'copy' : 'none';
  });
  addEventListener('dragleave', (event) => {
    if (carriesFiles(event) && (depth -= 1) <= 0) hide();
  });
  addEventListener('dragend', hide);
  addEventListener('drop', async (event) => {
    if (!carriesFiles(event)) return;
    event.preventDefault();
    hide();
    if (ready()) onFiles(await filesOf(event.dataTransfer));
  });
  addEventListener('paste', async (event) => {
    if (!event.clipboardData?.files.length || !ready()) return;
    event.preventDefault();
    onFiles(await filesOf(event.clipboardData));
  });
}

/** Hidden file inputs behind buttons. The same file can be picked again and again. */
export function createPicker({ onFiles }) {
  const take = (input) => {
    const files = [...input.files];
    const inside = input.webkitdirectory ? files.filter(looksLikeProfile) : files;
    inside.sort((a, b) => compareNames(a.webkitRelativePath, b.webkitRelativePath));
    onFiles({
      files: inside.slice(0, MAX_FILES), skipped: files.length - inside.length, folders: input.webkitdirectory ? 1 : 0,
    });
    input.value = '';
  };
  const one = h('input', { type: 'file', multiple: true, hidden: true, id: 'file-input', tabindex: -1 });
  const folder = h('input', { type: 'file', webkitdirectory: true, hidden: true, id: 'folder-input', tabindex: -1 });
  for (const input of [one, folder]) input.addEventListener('change', () => take(input));
  document.body.append(one, folder);
  return { pickFiles: () => one.click(), pickFolder: () => folder.click() };
}
