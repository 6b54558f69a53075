// The strip of runs (choose, watch, cancel, remove) and the cards of files that failed.

import { announce } from './announce.js';
import { h, icon } from './dom.js';
import { hex } from './advice.js';
import { formatBytes, formatDuration, plural } from './format.js';
import { isBusy } from './runs.js';

const PHASES = {
  waiting: 'Waiting', fetch: 'Fetching', read: 'Reading', open: 'Opening', summary: 'First totals',
  index: 'Reading the index', statistics: 'Statistics', calls: 'Reading calls', inspect: 'Statistics',
};

const phaseName = (run) => PHASES[run.progress?.phase] ?? run.progress?.phase ?? PHASES[run.state] ?? '';

/** One line about a run. */
function lineOf(run) {
  if (isBusy(run)) return phaseName(run);
  const { document } = run;
  if (!document) return '';
  const parts = [document.label ? run.name : null, plural(document.num_ranks, 'rank')];
  if (document.span_ns) parts.push(formatDuration(document.span_ns));
  return parts.filter(Boolean).join(' · ');
}

/** A run's name for people: its stored label (numbered when runs share it), else its file. */
export const titleOf = (run) => {
  const label = run.document?.label;
  if (!label) return run.name;
  return run.labelNumber > 1 ? `${label} (${run.labelNumber})` : label;
};

/** Numbers the runs that share a label, in order of opening. */
function numberLabels(runs) {
  const seen = new Map();
  for (const run of runs) {
    const label = run.document?.label;
    if (!label) continue;
    seen.set(label, (seen.get(label) ?? 0) + 1);
    run.labelNumber = seen.get(label);
  }
}

/**
 * @param {HTMLElement} strip
 * @param {HTMLElement} problems
 * @param {object} actions choose, cancel, remove, retry: each called with a run
 */
export function createRunList(strip, problems, actions) {
  const cards = new Map();
  const alerts = new Map();

  function card(run) {
    const name = h('span', { class: 'run-name' });
    const line = h('span', { class: 'run-line' });
    const bar = h('progress', { class: 'run-progress', max: 1, 'aria-label': `Progress of ${run.name}` });
    const choose = h('button', { type: 'button', class: 'run-choose', onclick: () => actions.choose(run) },
      name, line);
    const stop = h('button', { type: 'button', class: 'button small', onclick: () => actions.cancel(run) }, 'Cancel',
      h('span', { class: 'sr' }, ` ${run.name}`));
    const remove = h('button', {
      type: 'button', class: 'icon-button', title: `Remove ${run.name}`, 'aria-label': `Remove ${run.name}`,
      onclick: () => actions.remove(run),
    }, icon('close'));
    const stalled = h('span', { class: 'run-stalled' });
    const element = h('li', { class: 'run' }, choose, h('span', { class: 'run-tools' }, stop, remove), bar, stalled);
    return { element, name, line, bar, choose, stop, stalled };
  }

  function updateCard(run, chosen) {
    const parts = cards.get(run);
    const busy = isBusy(run);
    parts.name.textContent = titleOf(run);
    parts.choose.title = run.name;
    parts.line.textContent = lineOf(run);
    parts.choose.setAttribute('aria-current', run === chosen ? 'true' : 'false');
    parts.element.classList.toggle('chosen', run === chosen);
    parts.stop.hidden = !busy;
    parts.bar.hidden = !busy;
    const { done, total } = run.progress ?? {};
    if (total > 0) parts.bar.value = Math.min(1, done / total);
    else parts.bar.removeAttribute('value');
    parts.stalled.textContent = run.stalledMs
      ? `No progress for ${Math.round(run.stalledMs / 1000)} s. You can cancel this file; the others stay.` : '';
  }

  function problem(run) {
    const { error } = run;
    const cancelled = run.state === 'cancelled';
    const copied = h('button', { type: 'button', class: 'button small', onclick: copy }, 'Copy details');
    async function copy() {
      try {
        await navigator.clipboard.writeText(detailsOf(run));
        copied.textContent = 'Copied';
      } catch {
        copied.textContent = 'Not copied';
      }
      setTimeout(() => { copied.textContent = 'Copy details'; }, 2000);
    }
    return h('div', { class: `problem ${cancelled ? 'quiet' : ''}`, role: 'alert', dataset: { code: error.code } },
      icon(cancelled ? 'warning' : 'error'),
      h('div', { class: 'problem-text' },
        h('h2', {}, run.name),
        h('p', { class: 'problem-message' }, error.message),
        error.path ? h('p', { class: 'muted' }, 'at ', h('code', {}, error.path)) : null,
        h('p', { class: 'problem-advice' }, error.advice),
        cancelled ? null : h('details', {},
          h('summary', {}, 'Details'),
          h('pre', { class: 'details-text', tabindex: 0 }, detailsOf(run)))),
      h('div', { class: 'problem-tools' },
        h('button', { type: 'button', class: 'button small', onclick: () => actions.retry(run) }, 'Try again'),
        cancelled ? null : copied,
        h('button', {
          type: 'button', class: 'icon-button', 'aria-label': `Dismiss ${run.name}`, title: 'Dismiss',
          onclick: () => actions.remove(run),
        }, icon('close'))));
  }

  function update(runs, chosen) {
    numberLabels(runs);
    const listed = runs.filter((run) => !run.error);
    const failed = runs.filter((run) => run.error);
    for (const [run, { element }] of cards) {
      if (!listed.includes(run)) {
        element.remove();
        cards.delete(run);
      }
    }
    for (const run of listed) {
      if (!cards.has(run)) {
        cards.set(run, card(run));
        strip.append(cards.get(run).element);
      }
      updateCard(run, chosen);
    }
    for (const [run, shown] of alerts) {
      if (!failed.includes(run) || shown.error !== run.error) {
        shown.element.remove();
        alerts.delete(run);
      }
    }
    for (const run of failed) {
      if (alerts.has(run)) continue;
      const element = problem(run);
      alerts.set(run, { element, error: run.error });
      problems.append(element);
    }
    strip.hidden = listed.length === 0;
    problems.hidden = failed.length === 0;
  }

  return {
    update,
    /** Only what moves: called many times a second. */
    progress: (run, chosen) => cards.has(run) && updateCard(run, chosen),
    finished(run) {
      if (run.document && !run.partial) announce(`${titleOf(run)} is open: ${lineOf(run)}.`);
    },
  };
}

/** What to send along with a report: no data of the profile but its name and first bytes. */
function detailsOf(run) {
  const { error } = run;
  return [
    `file: ${run.name}`,
    `size: ${run.size} bytes (${formatBytes(run.size).replace('\u00a0', ' ')})`,
    `first bytes: ${hex(error.head) || 'none'}`,
    `code: ${error.code}${error.core ? ` (${error.core})` : ''}`,
    `message: ${error.message}`,
    error.path ? `place: ${error.path}` : '',
    `page: profscope ${document.documentElement.dataset.version ?? ''}`.trim(),
    `browser: ${navigator.userAgent}`,
  ].filter(Boolean).join('\n');
}
