import type { DurationsOptions, Figure, PlotlyLike, PointIdentity, ThemeName, ThemeTokens } from '../index.js';

export function parseRegionFilter(text: unknown): string[];
export function matchesRegionFilter(region: unknown, terms: readonly string[]): boolean;
export function regionFilter(
  text: unknown,
  options?: { extended?: boolean },
): ((region: unknown) => boolean) | undefined;
export function describeRegionFilter(text: unknown): string;
export function countMatches(names: Iterable<string>, text: unknown): { matched: number; total: number };

export function documentTheme(options?: { followSystem?: boolean }): ThemeName;

export interface FigureRegistryOptions {
  /** A theme, or a function read at every draw. Default: the document's, else the system's. */
  theme?: ThemeName | ThemeTokens | (() => ThemeName | ThemeTokens);
  /** Plotly config for every draw. */
  config?: object;
  /** Builder of figures that name none. Default `buildFigure`. */
  build?: (payload: any, options: any) => Figure | Promise<Figure>;
  /** Told of each failed draw. Default: the message is shown in the container as an alert. */
  onError?: (error: unknown, container: any) => void;
}

export interface RenderOptions extends DurationsOptions {
  build?: FigureRegistryOptions['build'];
  /** Text of a filter box. Default: the text of `setFilter`. */
  regionFilter?: string | null;
  /** false: `setFilter` does not reach this figure. */
  filter?: boolean;
  /** Start with a fresh view instead of the reader's zoom. */
  resetView?: boolean;
  [option: string]: unknown;
}

export interface FigureRegistry {
  /** undefined for a missing container, else a promise of Plotly's result. Never throws. */
  render(container: any, payload: any, options?: RenderOptions): Promise<any> | undefined;
  update(container: any, changes?: RenderOptions & { payload?: any }): Promise<any> | undefined;
  get(container: any): { payload: any; options: RenderOptions } | undefined;
  setFilter(text: string): void;
  refresh(): Promise<any[]>;
  forget(container: any): boolean;
  clear(): void;
  readonly size: number;
  watch(target?: any, event?: string): () => void;
  onSelect(listener: (identity: PointIdentity, container: any, event: any) => void): () => void;
  dispose(): void;
}

export function createFigureRegistry(plotly: PlotlyLike, options?: FigureRegistryOptions): FigureRegistry;
