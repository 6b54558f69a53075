// Checks a document against one of this package's schemas: the part of JSON Schema 2020-12 that they
// use, nothing more.

const typeOf = (value) =>
  value === null ? 'null' : Array.isArray(value) ? 'array' : Number.isInteger(value) ? 'integer' : typeof value;

function hasType(value, wanted) {
  const type = typeOf(value);
  return wanted === type || (wanted === 'number' && type === 'integer');
}

/** The first thing wrong with `value`, as "path: what", or undefined. */
export function validate(value, schema, path = '$') {
  if (schema.anyOf) {
    const faults = schema.anyOf.map((option) => validate(value, option, path));
    return faults.includes(undefined) ? undefined : faults[0];
  }
  if ('const' in schema && value !== schema.const) return `${path}: must be ${JSON.stringify(schema.const)}`;
  if (schema.enum && !schema.enum.includes(value)) {
    return `${path}: ${JSON.stringify(value)} is none of ${schema.enum.join(', ')}`;
  }
  if (schema.type && ![schema.type].flat().some((type) => hasType(value, type))) {
    return `${path}: is ${typeOf(value)}, not ${[schema.type].flat().join(' or ')}`;
  }
  if (schema.pattern && !new RegExp(schema.pattern, 'u').test(value)) return `${path}: does not match ${schema.pattern}`;
  if (Array.isArray(value)) return schema.items && validateItems(value, schema.items, path);
  return typeOf(value) === 'object' ? validateObject(value, schema, path) : undefined;
}

function validateItems(list, schema, path) {
  for (const [i, item] of list.entries()) {
    const fault = validate(item, schema, `${path}[${i}]`);
    if (fault) return fault;
  }
  return undefined;
}

function validateObject(object, { properties = {}, required = [], additionalProperties = true }, path) {
  for (const key of required) if (!Object.hasOwn(object, key)) return `${path}: lacks ${key}`;
  for (const [key, value] of Object.entries(object)) {
    const schema = Object.hasOwn(properties, key) ? properties[key] : additionalProperties;
    if (schema === false) return `${path}: ${key} is not a key`;
    const fault = schema === true ? undefined : validate(value, schema, `${path}.${key}`);
    if (fault) return fault;
  }
  return undefined;
}
