import type { DurationsOptions, DurationsPayload } from './figures/durations.js';

export * from './figures/durations.js';

export interface PointIdentity {
  region: string;
  file: string;
  rank: number | null;
  call_id: number | string | null;
}

export interface Diagnostic {
  code: string;
  message: string;
  region?: string;
  source?: string;
  target?: string;
}

export interface Figure {
  data: Record<string, any>[];
  layout: Record<string, any>;
  diagnostics?: Diagnostic[];
}

export interface PlotlyLike {
  newPlot(element: any, data: any[], layout: any, config: any): any;
  react?(element: any, data: any[], layout: any, config: any): any;
  purge?(element: any): any;
}

export type ThemeName = 'auto' | 'light' | 'dark';

export interface ThemeTokens {
  text?: string;
  muted?: string;
  grid?: string;
  hoverBg?: string;
  neutral?: string;
}

export interface ResolvedTheme extends ThemeTokens {
  grid: string;
  neutral: string;
}

export interface RegionRow {
  region: string;
  /** Run label. Default "run". */
  file?: string;
  rank?: number | null;
}

export interface PayloadBase {
  format?: 'scope-profiler-plot-data';
  format_version?: number;
  colors?: Record<string, string> | null;
}

export interface BuildOptions {
  /** Name → colour. Default: the document's own colours. */
  colors?: Record<string, string>;
  /** Keeps a row when truthy. */
  filterRegion?: (name: string, row: any) => unknown;
  /** Merged over the generated layout, deeply. */
  layout?: Record<string, any>;
  /** Default: the theme of `setTheme`. */
  theme?: ThemeName | ThemeTokens;
  plot?: PlotKind;
  /** "auto": ns, µs, ms or s for the whole figure. Default "s". */
  units?: 's' | 'auto';
  /** Names the filter as the reason of an empty figure. Default false. */
  emptyFilterNote?: boolean;
}

export type PlotKind = 'durations';
export type PlotData = DurationsPayload & { plot: 'durations' };
export type LegacyPlotData = DurationsPayload;

export const PLOT_DATA_FORMAT: 'scope-profiler-plot-data';
export const SUPPORTED_FORMAT_VERSION: 1;
export const PLOT_BUILDERS: Record<PlotKind, (payload: any, options?: any) => Figure>;

export function buildFigure(payload: PlotData | LegacyPlotData, options?: DurationsOptions): Figure;
export function validatePlotData(payload: unknown, options?: { plot?: PlotKind }): PlotKind;
/** A kind (possibly one without a builder), or undefined. */
export function inferPlotKind(payload: unknown): string | undefined;
export function createFigureBuilder(
  defaults?: DurationsOptions,
): (payload: PlotData | LegacyPlotData, options?: DurationsOptions) => Figure;

export function renderFigure(plotly: PlotlyLike, element: any, figure: Figure, config?: object): any;
export function updateFigure(plotly: PlotlyLike, element: any, figure: Figure, config?: object): any;
export function disposeFigure(plotly: PlotlyLike, element: any): any;
export function getPointIdentity(point: any): PointIdentity | null;

export function setTheme(theme: ThemeName | ThemeTokens | null | undefined): void;
export function resolveTheme(theme?: ThemeName | ThemeTokens): ResolvedTheme;
export function createColorRegistry(
  names?: Iterable<string>,
  supplied?: Record<string, string> | null,
  options?: { distinct?: boolean },
): Readonly<Record<string, string>>;
