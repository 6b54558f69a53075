// The page: loads its parts, closes its connections, then takes files.

import { WorkerEngine } from '@profscope/core/worker';
import { announce } from './announce.js';
import { loadAssets } from './assets.js';
import { h, icon } from './dom.js';
import { acceptDrops, createPicker } from './drop.js';
import { setUpHelp } from './help.js';
import { createPanel } from './panel.js';
import { createRunList, titleOf } from './run-list.js';
import { createRuns } from './runs.js';
import { createSession } from './session.js';
import { setUpThemeChoice } from './theme-choice.js';

/**
 * @typedef {object} Assets
 * @property {WebAssembly.Module} wasm
 * @property {string} workerSource  Text of the classic worker script.
 * @property {(() => File) | null} sample
 * @property {() => Promise<any>} loadPlotly
 */

const $ = (selector) => document.querySelector(selector);

setUpThemeChoice($('#theme'));
setUpHelp({ focusFilter: () => app?.panel.focusFilter(), pickFiles: () => picker.pickFiles() });

let app = null;
const ready = () => app !== null;
const picker = createPicker({ onFiles: take });
acceptDrops({ ready, opened: () => app?.runs.list.length ?? 0, onFiles: take });
for (const button of document.querySelectorAll('[data-pick="files"]')) button.addEventListener('click', picker.pickFiles);
for (const button of document.querySelectorAll('[data-pick="folder"]')) button.addEventListener('click', picker.pickFolder);

/** A line that can be dismissed, such as "already open". */
function notice(text, action) {
  const element = h('div', { class: 'notice', role: 'status' },
    h('span', {}, text),
    action ? h('button', { type: 'button', class: 'button small', onclick: () => { element.remove(); action.run(); } }, action.label) : null,
    h('button', { type: 'button', class: 'icon-button', 'aria-label': 'Dismiss', onclick: () => element.remove() }, icon('close')));
  $('#notices').append(element);
}

/** Files from anywhere. */
async function take({ files, skipped, folders }, options) {
  if (!app) return;
  $('#notices').replaceChildren();
  if (!files.length) {
    if (folders) notice(skipped ? 'The folder holds no file that looks like a profile (.h5, .json, .spt).' : 'The folder is empty.');
    return;
  }
  const { added, duplicates } = await app.runs.add(files, options);
  if (skipped) notice(`${skipped} other ${skipped === 1 ? 'file' : 'files'} in the folder left out.`);
  for (const { file, run } of duplicates) {
    notice(`${file.name} is already open${run.name === file.name ? '' : ` as ${run.name}`}.`, {
      label: 'Open it again anyway', run: () => take({ files: [file], skipped: 0, folders: 0 }, { again: true }),
    });
  }
  if (duplicates.length && !added.length) app.choose(duplicates[0].run);
  if (added.length > 1) announce(`Opening ${added.length} files.`);
}

function createApp(engine, { loadPlotly }) {
  const session = createSession();
  const runs = createRuns(engine);
  const panel = createPanel($('#run'), { runs, session, loadPlotly });
  let chosen = null;
  let shown = null;
  const list = createRunList($('#runs'), $('#problems'), {
    choose: (run) => choose(run, true),
    cancel: runs.cancel,
    remove,
    retry: runs.retry,
  });

  function choose(run, focus) {
    chosen = run;
    draw();
    if (focus && run.document) $('#run-title')?.focus();
  }

  async function remove(run) {
    const at = runs.list.indexOf(run);
    await runs.remove(run);
    const next = runs.list[Math.min(at, runs.list.length - 1)];
    const target = document.querySelector(next ? '#runs [aria-current="true"], #runs button, #problems button' : '#welcome [data-pick]');
    target?.focus();
    announce(`${run.name} removed.`);
  }

  /** The chosen run if it can be shown, else the first that can. */
  function draw() {
    if (!runs.list.includes(chosen) || chosen.error) {
      chosen = runs.list.find((run) => run.document && !run.error) ?? runs.list.find((run) => !run.error) ?? null;
    }
    $('#welcome').hidden = runs.list.length > 0;
    document.documentElement.classList.toggle('has-runs', runs.list.length > 0);
    list.update(runs.list, chosen);
    if (chosen?.document && (shown?.run !== chosen || shown.document !== chosen.document)) {
      shown = { run: chosen, document: chosen.document };
      panel.show(chosen);
      document.title = `${titleOf(chosen)} · profscope`;
    } else if (!chosen?.document) {
      shown = null;
      panel.hide();
      document.title = 'profscope';
    } else panel.refresh();
  }

  runs.on((run, what) => {
    if (what === 'progress') return list.progress(run, chosen);
    if (what === 'document') {
      list.finished(run);
      panel.runsChanged();
    }
    if (what === 'removed') panel.runsChanged();
    if (what === 'added' && !chosen) chosen = run;
    draw();
  });

  return { runs, panel, choose };
}

/** Files up to this size are held in memory while they are analysed: 1 GiB, 2 GiB where there is plenty. */
const holdLimit = () => ((navigator.deviceMemory ?? 4) >= 8 ? 2 : 1) * 2 ** 30;

async function begin() {
  const status = $('#load-status');
  try {
    const assets = await loadAssets();
    const engine = await WorkerEngine.create({ wasm: assets.wasm, workerSource: assets.workerSource, holdLimit: holdLimit() });
    app = createApp(engine, assets);
    const sampleButtons = document.querySelectorAll('[data-sample]');
    for (const button of sampleButtons) {
      button.hidden = !assets.sample;
      button.addEventListener('click', () => take({ files: [assets.sample()], skipped: 0, folders: 0 }));
    }
    for (const button of document.querySelectorAll('[data-pick], [data-sample]')) button.disabled = false;
    status.textContent = '';
    document.documentElement.dataset.ready = '';
  } catch (error) {
    status.classList.add('field-error');
    status.textContent = `The reader could not be started: ${error.message}. Reload the page; if that does not help, use a current browser.`;
  }
}

begin();
