// The panel of the chosen run: headline, warnings, region table with details, chart, metadata.

import { announce } from './announce.js';
import { createChart } from './chart.js';
import { h } from './dom.js';
import { formatRanks, plural } from './format.js';
import { drawHeadline, drawWarnings } from './headline.js';
import { createMetadata } from './metadata.js';
import { createRegionDetails } from './region-details.js';
import { createRegionTable } from './region-table.js';
import { isBusy } from './runs.js';
import { createToolbar } from './toolbar.js';

/**
 * @param {HTMLElement} element
 * @param {object} tools runs, session, loadPlotly
 */
export function createPanel(element, { runs, session, loadPlotly }) {
  const details = createRegionDetails();
  let run = null;
  let selection = null;
  const table = createRegionTable(session, (chosen) => {
    selection = chosen;
    if (run) details.show(chosen, run, session.state.unit);
  });
  const toolbar = createToolbar(session, table, {
    ranks: (text) => runs.setRanks(run, text),
    foldAll: table.foldAll,
    focusTable: table.focus,
    save,
    copyCommand,
  });
  const chart = createChart({ runs, session, loadPlotly, onSelect: table.select });
  const metadata = createMetadata();
  const top = h('div', { class: 'run-top' });
  const busy = h('p', { class: 'busy', role: 'status' });
  const regions = h('section', { class: 'regions', 'aria-labelledby': 'regions-title' },
    h('h3', { id: 'regions-title', class: 'sr' }, 'Regions'),
    toolbar.element, busy);
  element.append(top, regions, h('div', { class: 'run-body' }, table.element, details.element, chart.element, metadata.element));

  session.on((names) => {
    if (!run?.document) return;
    table.follow(names);
    toolbar.update(run);
    chart.follow(names);
    if (names.includes('unit')) details.show(selection, run, session.state.unit);
  });
  addEventListener('beforeprint', () => table.setPrinting(true));
  addEventListener('afterprint', () => table.setPrinting(false));

  async function save(level) {
    try {
      const text = await runs.text(run, level);
      const link = h('a', {
        href: URL.createObjectURL(new Blob([text], { type: 'application/json' })),
        download: `${run.name.replace(/\.[^.]*$/, '')}.inspect.json`,
      });
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
      announce('Saved.');
    } catch (error) {
      announce(`Not saved: ${error.message}`);
    }
  }

  async function copyCommand() {
    const quote = (text) => (/^[\w./:,@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);
    const command = `profscope inspect ${quote(run.file.name)} --json${run.ranks ? ` --ranks ${quote(run.ranks)}` : ''}`;
    try {
      await navigator.clipboard.writeText(command);
      announce(`Copied: ${command}`);
    } catch {
      announce(`The command is: ${command}`);
    }
  }

  function drawTop() {
    top.replaceChildren(...[drawHeadline(run), drawWarnings(run)].filter(Boolean));
  }

  function drawBusy() {
    const working = isBusy(run);
    table.setBusy(working);
    busy.hidden = !working;
    busy.textContent = !working ? ''
      : run.partial ? 'Stored totals are shown; the call tree and percentiles follow.'
        : 'Computing for the selected ranks…';
  }

  return {
    /** Shows a run that has a document. */
    show(next) {
      run = next;
      // The full list of ranks is that of the first document, before any were chosen.
      if (!run.ranks) run.allRanks = run.document.ranks;
      element.hidden = false;
      drawTop();
      drawBusy();
      table.show(run);
      toolbar.update(run);
      metadata.show(run);
      if (!run.partial) chart.show(run);
      if (run.ranks) announce(`Ranks ${formatRanks(run.document.ranks)}: ${plural(run.document.regions.length, 'region')}.`);
    },
    /** The run's state changed, its document did not. */
    refresh() {
      if (!run?.document) return;
      drawBusy();
      toolbar.update(run);
    },
    runsChanged: chart.runsChanged,
    hide() {
      run = null;
      element.hidden = true;
    },
    focusFilter: toolbar.focusFilter,
  };
}
