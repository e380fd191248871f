import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '../testApp.ts';
import { callsDocument, type OpenApi } from './callsDocument.ts';
import { namesText, type Schema, schemaText } from './schemaText.ts';

describe('the reference of calls', () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await createTestApp();
  });
  afterAll(() => test.close());

  it('is current: `npm run fix` writes docs/calls.md', () => {
    const document = readFileSync(join(import.meta.dirname, '../../../../docs/calls.md'), 'utf8');
    expect(document).toBe(callsDocument(test.app.swagger() as OpenApi, test.routes));
  });

  it('has a row with a summary and what it needs for each call', () => {
    const document = callsDocument(test.app.swagger() as OpenApi, test.routes);
    const calls = test.routes.filter(
      ({ method, url }) => method !== 'HEAD' && url !== '/*' && url !== '/api/openapi.json',
    );
    const rows = new Map(
      [...document.matchAll(/^\| `([^`]+)` \| ([^|]+) \| ([^|]+) \|/gm)].map(
        ([, call = '', summary = '', needs = '']) => [call, [summary, needs]],
      ),
    );
    expect([...rows.keys()].sort()).toEqual(
      calls.map(({ method, url }) => `${method} ${url.replaceAll(/:(\w+)/g, '{$1}')}`).sort(),
    );
    expect([...rows].filter(([, cells]) => cells.some((cell) => cell.trim() === ''))).toEqual([]);
  });
});

describe('a schema in one line', () => {
  const fields: Schema = {
    type: 'object',
    required: ['id'],
    properties: {
      id: { type: 'string', minLength: 1, maxLength: 20 },
      kinds: { type: 'array', maxItems: 3, items: { enum: ['a', '', 1] } },
      at: { anyOf: [{ type: 'integer', minimum: 0, maximum: 9 }, { type: 'null' }] },
      inner: { type: 'object', required: ['x'], properties: { x: { type: 'number' } } },
    },
  };

  it('has names, types and bounds', () => {
    expect(schemaText(fields)).toBe(
      "{id: text 1–20, kinds?: [a/''/1] ≤ 3, at?: integer 0–9 or null, inner?: {x: number}}",
    );
  });

  it.each<[Schema, string]>([
    [{ type: 'string', pattern: '^\\d{1,6}$' }, 'digits 1–6'],
    [{ type: 'integer', minimum: 0 }, 'integer'],
    [{ type: 'integer', minimum: 5 }, 'integer ≥ 5'],
    [{ type: 'string', minLength: 64, maxLength: 64 }, 'text 64'],
    [{ enum: Array.from({ length: 17 }, (_, at) => `c${at}`) }, 'one of 17 codes'],
    [{ const: true }, 'true'],
    [{}, 'any'],
  ])('writes %j as %s', (schema, text) => {
    expect(schemaText(schema)).toBe(text);
  });

  it('has only names for an answer, down to a depth', () => {
    expect(namesText(fields, 1)).toBe('{id, kinds?, at?, inner?}');
    expect(namesText({ type: 'array', items: fields }, 2)).toBe('[{id, kinds?, at?, inner?: {x}}]');
    expect(namesText({ type: 'string' }, 2)).toBe('');
  });
});
