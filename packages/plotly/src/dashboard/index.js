// A page of figures: registry, region filter, theme. Importing touches nothing.

export {
  countMatches, describeRegionFilter, matchesRegionFilter, parseRegionFilter, regionFilter,
} from './filter.js';
export { createFigureRegistry } from './registry.js';
export { documentTheme } from './theme.js';
