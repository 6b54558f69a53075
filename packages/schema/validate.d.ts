/** The first thing wrong with `value`, as "path: what", or undefined. Understands the part of JSON
 * Schema 2020-12 that this package's schemas use. */
export function validate(value: unknown, schema: object, path?: string): string | undefined;
