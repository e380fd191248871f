// What checks requests and writes answers, made once for each schema of the process, when the first request needs it: many routes
// have the same schemas, a gateway answers few of its routes in its first minute, and tests build the HTTP side hundreds of times.
import createValidatorFactory from '@fastify/ajv-compiler';
import createSerializerFactory from '@fastify/fast-json-stringify-compiler';

/**
 * For Fastify, as `schemaController.compilersFactory`. Schemas must not refer to others by their ids, and names of headers must
 * be in lower case in them: Fastify sees to that for its own compiler alone.
 */
export const schemaCompilers = {
  buildValidator: remembering(createValidatorFactory()),
  buildSerializer: remembering(createSerializerFactory()),
};

/** A validator or a serializer. Ajv leaves what it found on the validator itself, where Fastify reads it after each call. */
interface Compiled {
  (value: unknown): unknown;
  errors?: unknown;
}

/** The same factory, whose functions are made at their first call and remembered by the text of their schema. */
export function remembering<External, Options, Route, Made>(
  build: (external: External, options: Options) => (route: Route) => Made,
): typeof build {
  const made = new Map<string, Compiled>();
  return (external, options) => {
    const compile = build(external, options);
    const optionsText = JSON.stringify([external, options]);
    const find = (route: Route): Compiled => {
      // Fastify gives a route with its schema to both, whatever the types of one of them say.
      const { schema } = route as { readonly schema?: unknown };
      const key = optionsText + JSON.stringify(schema);
      const known = made.get(key) ?? (compile(route) as Compiled);
      made.set(key, known);
      return known;
    };
    // Both libraries make functions, which is all that Fastify asks of them.
    return (route) => compiledAtFirstCall(() => find(route)) as Made;
  };
}

function compiledAtFirstCall(find: () => Compiled): Compiled {
  let found: Compiled | undefined;
  const call: Compiled = (value) => {
    found ??= find();
    const result = found(value);
    call.errors = found.errors;
    return result;
  };
  return call;
}
