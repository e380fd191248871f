import Fastify, { type FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { expect, it, onTestFinished } from 'vitest';
import { schemaCompilers } from '../../../../server/http/kernel/schemaCompilers.ts';

const { buildSerializer, buildValidator } = schemaCompilers;
const answerOf = (name: string) => Type.Object({ [name]: Type.Number() });
const route = (schema: object) => ({ method: 'GET', url: '/', httpStatus: '200', schema });

it('makes one function for schemas that say the same, also for another server', () => {
  const [first, second] = [buildSerializer({}, {}), buildSerializer({}, {})];
  expect(second(route(answerOf('a')))).toBe(first(route(answerOf('a'))));
  expect(second(route(answerOf('b')))).not.toBe(first(route(answerOf('a'))));
  const [check, other] = [buildValidator({}, { customOptions: {} }), buildValidator({}, { customOptions: {} })];
  expect(other(route(answerOf('a')))).toBe(check(route(answerOf('a'))));
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
