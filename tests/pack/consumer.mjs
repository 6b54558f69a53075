// Run in a project that has only the packed packages: a profile is opened and becomes a figure.
import { readFileSync } from 'node:fs';
import { Engine, loadCore } from '@profscope/core';
import { buildFigure } from '@profscope/plotly';

const engine = new Engine(await loadCore());
const profile = engine.open(new Uint8Array(readFileSync('run.h5')), { name: 'run.h5' });
const figure = buildFigure(profile.view('durations', { options: { metrics: ['total'] } }));
const bars = figure.data.reduce((n, trace) => n + (trace.y ?? trace.x ?? []).length, 0);
console.log(`${profile.inspect().profiles[0].regions.length} regions, ${bars} bars`);
