// Compiled only: the published types hold together for a strict TypeScript user.
import { Engine, loadCore, ProfileError } from '@profscope/core';
import { WorkerEngine } from '@profscope/core/worker';
import { buildFigure } from '@profscope/plotly';
import { createFigureRegistry } from '@profscope/plotly/dashboard';

export async function total(bytes: Uint8Array): Promise<number> {
  const engine = new Engine(await loadCore());
  try {
    const profile = engine.open(bytes, { name: 'run.h5' });
    const calls: number = profile.inspect().profiles[0].regions.reduce((sum, region) => sum + region.calls, 0);
    return calls;
  } catch (error) {
    if (error instanceof ProfileError) console.error(error.code, error.path);
    throw error;
  }
}

export const parts = [WorkerEngine, buildFigure, createFigureRegistry];
