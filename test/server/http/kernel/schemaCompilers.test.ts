import createValidatorFactory from '@fastify/ajv-compiler';
import createSerializerFactory from '@fastify/fast-json-stringify-compiler';
import Fastify, { type FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { expect, it, onTestFinished, vi } from 'vitest';
import { remembering, schemaCompilers } from '../../../../server/http/kernel/schemaCompilers.ts';
import { createTestApp } from '../testApp.ts';

const { buildValidator } = schemaCompilers;
const answerOf = (name: string) => Type.Object({ [name]: Type.Number() });
const route = (schema: object) => ({ method: 'GET', url: '/', httpStatus: '200', schema });

it('compiles a schema at the first call alone, and once for all schemas that say the same', () => {
  const compiled: string[] = [];
  const build = remembering((_external: object, options: object) => ({ schema }: { readonly schema: object }) => {
    compiled.push(JSON.stringify([options, schema]));
    return () => compiled.length;
  });
  const [first, second] = [build({}, {}), build({}, {})];
  const [a, sameAsA, b] = [first, second, second].map((make, at) => make({ schema: answerOf(at < 2 ? 'a' : 'b') }));
  expect(compiled).toEqual([]);
  expect([a?.(), sameAsA?.(), a?.(), b?.()]).toEqual([1, 1, 1, 2]);
  expect(build({}, { other: true })({ schema: answerOf('a') })()).toBe(3);
});

it('passes on what a validator has found', () => {
  const validate = buildValidator({}, { customOptions: {} })(route(answerOf('a')));
  expect(validate({})).toBe(false);
  expect(validate).toHaveProperty('errors', [expect.objectContaining({ keyword: 'required' })]);
  expect(validate({ a: 1 })).toBe(true);
  expect(validate).toHaveProperty('errors', null);
});

it('compiles every schema of the product', async () => {
  let compiled = 0;
  const validators = createValidatorFactory();
  const serializers = createSerializerFactory();
  const counted =
    <Route, Made>(compile: (route: Route) => Made) =>
    (route: Route): Made => {
      compiled += 1;
      return compile(route);
    };
  const spies = [
    vi.spyOn(schemaCompilers, 'buildValidator').mockImplementation((...all) => counted(validators(...all))),
    vi.spyOn(schemaCompilers, 'buildSerializer').mockImplementation((...all) => counted(serializers(...all))),
  ];
  onTestFinished(() => {
    for (const spy of spies) spy.mockRestore();
  });
  const test = await createTestApp();
  onTestFinished(() => test.close());
  expect(compiled).toBeGreaterThan(test.routes.length);
});

it('makes others for other options and other schemas around', () => {
  const bends = buildValidator({}, { customOptions: { coerceTypes: true } })(route(answerOf('a')));
  const refuses = buildValidator({}, { customOptions: { coerceTypes: false } })(route(answerOf('a')));
  expect(bends({ a: '1' })).toBe(true);
  expect(refuses({ a: '1' })).toBe(false);
});

function server(required: string): FastifyInstance {
  const app = Fastify({ schemaController: { compilersFactory: schemaCompilers } });
  onTestFinished(() => app.close());
  const schema = { querystring: Type.Object({ [required]: Type.String() }), response: { 200: answerOf(required) } };
  app.get('/', { schema }, async () => ({ a: 1, b: 2, secret: 3 }));
  return app;
}

it('checks and writes by the schema of the route, whichever server was there before', async () => {
  const [a, again, b] = [server('a'), server('a'), server('b')];
  for (const app of [a, again]) {
    expect((await app.inject('/?a=x')).json()).toEqual({ a: 1 });
    expect((await app.inject('/?b=x')).json()).toMatchObject({
      message: "querystring must have required property 'a'",
    });
  }
  expect((await b.inject('/?b=x')).json()).toEqual({ b: 2 });
});
