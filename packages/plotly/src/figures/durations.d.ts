import type { BuildOptions, Figure, PayloadBase, RegionRow } from '../index.js';

export interface DurationBar extends RegionRow {
  metric: string;
  /** null: the run has no call of the region. */
  value_seconds: number | null;
  /** Only in stacked documents: "self" or a child's name. */
  segment?: string | null;
}

export interface DurationsPayload extends PayloadBase {
  plot?: 'durations';
  bars: DurationBar[];
  metrics?: string[];
  options?: { metric?: string; stack_children?: boolean };
}

export interface DurationsOptions extends BuildOptions {
  /** Default: the document's own, its first, or "total". */
  metric?: string;
  /** "v" (default): regions along x. "h": regions from top to bottom, values along x. */
  orientation?: 'v' | 'h';
}

export const durationsTraces: readonly string[];
export function buildDurationsFigure(payload: DurationsPayload, options?: DurationsOptions): Figure;
