// What the reader chose and all runs share: filter, order, columns, unit. Choices of taste are kept
// in the browser; the filter is not.

import { ORDER_START, defaultColumns } from './columns.js';
import { stored } from './dom.js';
import { UNIT_NAMES } from './format.js';

const KEY = 'profscope.table';

export function createSession() {
  const kept = stored.get(KEY, {});
  const state = {
    filter: '',
    sort: { key: ORDER_START, descending: false },
    flat: kept.flat === true,
    columns: Array.isArray(kept.columns) ? kept.columns.filter((id) => typeof id === 'string') : defaultColumns(),
    unit: UNIT_NAMES.includes(kept.unit) ? kept.unit : 'auto',
    metric: 'total',
  };
  const events = new EventTarget();
  return {
    state,
    on: (listener) => events.addEventListener('change', ({ detail }) => listener(detail)),
    /** Changes some of the state; listeners hear the names of what changed. */
    set(changes) {
      const names = Object.keys(changes).filter((name) => state[name] !== changes[name]);
      if (!names.length) return;
      Object.assign(state, changes);
      stored.set(KEY, { flat: state.flat, columns: state.columns, unit: state.unit });
      events.dispatchEvent(new CustomEvent('change', { detail: names }));
    },
  };
}
