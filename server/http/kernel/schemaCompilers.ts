// What checks requests and writes answers, made once for each schema of the process: many routes have the same schemas, and
// tests build the HTTP side hundreds of times.
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

/** The same factory, whose functions are remembered by the text of their schema: there are as many as in the routes. */
function remembering<External, Options, Route, Made>(
  build: (external: External, options: Options) => (route: Route) => Made,
): typeof build {
  const made = new Map<string, Made>();
  return (external, options) => {
    const compile = build(external, options);
    const optionsText = JSON.stringify([external, options]);
    return (route) => {
      // Fastify gives a route with its schema to both, whatever the types of one of them say.
      const { schema } = route as { readonly schema?: unknown };
      const key = optionsText + JSON.stringify(schema);
      const known = made.get(key) ?? compile(route);
      made.set(key, known);
      return known;
    };
  };
}
