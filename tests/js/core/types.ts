// Compiled, never run: the declarations of @profscope/core as a user sees them.

import { Engine, Profile, ProfileError, compileCore, type ByteSource } from '../../../packages/core/src/index.js';
import { WorkerEngine, type WorkerProfile } from '../../../packages/core/src/worker.js';
import type { DurationsPayload } from '../../../packages/schema/payloads.js';

export async function engineCalls(source: ByteSource) {
  const engine = await Engine.load({ wasm: new URL('https://example.org/core.wasm') });
  const profile = engine.open(source, { name: 'a' });
  const bytes: Uint8Array = engine.queryBytes({ op: 'inspect', profiles: [profile] });
  const total: number = profile.inspect({ sort: 'p95', flat: true }).profiles[0]!.rows[0]!.total_ns;
  const maybe: number | null = profile.summary().profiles[0]!.regions[0]!.avg_ns;
  const bars: DurationsPayload = profile.view('durations', { options: { metrics: ['avg'] } });
  engine.onProgress = ({ done, total: all }) => done < all;
  // @ts-expect-error there is no such sort key
  profile.inspect({ sort: 'size' });
  // @ts-expect-error there is no such op
  engine.query({ op: 'burn' });
  // @ts-expect-error profiles are made by open()
  new Profile();
  profile.close();
  engine.dispose();
  return [bytes, total, maybe, bars.bars[0]!.value_seconds];
}

export async function workerCalls(file: File) {
  const module = await compileCore();
  const engine = await WorkerEngine.create({ wasm: module, workerSource: '', watchdogMs: 5000 });
  const profile: WorkerProfile = await engine.open(file, { signal: AbortSignal.timeout(1000) });
  engine.addEventListener('stalled', ({ detail }) => detail.stop());
  engine.addEventListener('crash', ({ detail }) => detail.profile?.failed?.code);
  const document = await profile.inspect({}, { onProgress: ({ phase }) => phase.length });
  const error: ProfileError | undefined = profile.failed;
  // @ts-expect-error a path is not a file
  await engine.open('run.h5');
  await engine.close(profile);
  return [document.format, error];
}
