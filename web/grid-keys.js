// Keys of the treegrid (WAI-ARIA pattern): rows first, Right walks into the cells of a row.

/** One key press on the grid. */
export function gridKeys(event, { state, activate, onSelect, onToggle, onSort, pageRows }) {
  if (event.altKey || event.metaKey) return;
  const { active, cell, rows, columns } = state;
  const row = rows[active];
  const last = rows.length - 1;
  const control = event.ctrlKey;
  const actions = {
    ArrowDown: () => activate(active + 1),
    ArrowUp: () => activate(active - 1),
    PageDown: () => activate(Math.min(last, active + pageRows())),
    PageUp: () => activate(Math.max(0, active - pageRows())),
    Home: () => (cell < 0 || control ? activate(0) : activate(active, 0)),
    End: () => (cell < 0 || control ? activate(last) : activate(active, columns.length)),
    ArrowRight: () => {
      if (cell < 0 && row?.expandable && !row.expanded) onToggle(active, true);
      else activate(active, cell + 1);
    },
    ArrowLeft: () => {
      if (cell >= 0) return activate(active, active < 0 ? Math.max(0, cell - 1) : cell - 1);
      if (row?.expanded) return onToggle(active, false);
      return activate(parentOf(rows, active));
    },
    Enter: () => choose(),
    ' ': () => choose(),
    '+': () => row?.expandable && onToggle(active, true),
    '-': () => row?.expandable && onToggle(active, false),
    '*': () => expandSiblings(),
  };

  function choose() {
    if (active < 0) onSort(cell <= 0 ? 'name' : columns[cell - 1].id);
    else if (row) onSelect(active);
  }

  /** Unfolds every sibling of the active row. */
  function expandSiblings() {
    if (!row) return;
    const from = siblingsStart(rows, active);
    const group = [];
    for (let at = from; at < rows.length && rows[at].level >= row.level; at += 1) {
      if (rows[at].level === row.level && rows[at].expandable && !rows[at].expanded) group.push(at);
    }
    // From the bottom: unfolding moves only the rows below.
    for (const at of group.reverse()) onToggle(at, true);
  }

  const action = actions[event.key];
  if (!action || (control && !['Home', 'End'].includes(event.key))) return;
  event.preventDefault();
  action();
}

function parentOf(rows, at) {
  for (let above = at - 1; above >= 0; above -= 1) {
    if (rows[above].level < rows[at].level) return above;
  }
  return at;
}

function siblingsStart(rows, at) {
  let start = at;
  while (start > 0 && rows[start - 1].level >= rows[at].level) start -= 1;
  return start;
}
