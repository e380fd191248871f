import fc from 'fast-check';
import * as Type from 'typebox/type';
import { Check } from 'typebox/value';
import { describe, expect, it } from 'vitest';
import { readRecord } from '../../../../shared/api/readRecord.ts';
import { AuditRow } from '../../../../shared/protocol/api/audit.ts';
import {
  DashboardFigures,
  DeviceDetails,
  EventDevices,
  MapSource,
  SystemFigures,
} from '../../../../shared/protocol/api/fleet.ts';
import { DeviceView, LinkDevices, LinkRow, MadeLink } from '../../../../shared/protocol/api/links.ts';
import { DownloadAddress, ListPageOf } from '../../../../shared/protocol/api/lists.ts';
import {
  EvidenceHolds,
  ExportState,
  RecordedChannels,
  RecordingsOnDevice,
} from '../../../../shared/protocol/api/recordings.ts';
import { Count, Flag, Nothing, Nullable, OneOf, Text, Timestamp } from '../../../../shared/protocol/api/records.ts';
import { ServerInfo } from '../../../../shared/protocol/api/system.ts';

describe('a value of its kind', () => {
  it.each([
    [Text, 'a'],
    [Type.Integer(), -3],
    [Type.Number(), 0.5],
    [Timestamp, 1_795_000_000_000],
    [Flag, true],
    [Type.Null(), null],
    [Type.Literal('a'), 'a'],
    [OneOf(['a', 'b']), 'b'],
    [Nullable(Text), null],
    [Nullable(Text), 'a'],
    [Type.Array(Text), ['a', '']],
    [Type.Record(Type.String(), Type.Unknown()), JSON.parse('{"a":[1,null],"__proto__":"b"}')],
    [Type.Unknown(), { any: ['thing'] }],
    [Nothing, {}],
  ] as const)('stays as it is: %j, %j', (schema: Type.TSchema, value: unknown) => {
    expect(readRecord(schema, value)).toEqual(value);
  });
});

describe('a value of another kind', () => {
  it.each([
    [Text, 7, ''],
    [Type.Number(), '7', 0],
    [Type.Number(), Number.NaN, 0],
    [Type.Number(), Number.POSITIVE_INFINITY, 0],
    [Type.Integer(), 1.9, 1],
    [Count, -4, 0],
    [Type.Integer({ minimum: 1, maximum: 9 }), undefined, 1],
    [Type.Integer({ minimum: 1, maximum: 9 }), 10, 9],
    [Flag, 'true', false],
    [Type.Null(), 7, null],
    [Type.Literal('a'), 'b', 'a'],
    [OneOf(['a', 'b']), 'c', 'a'],
    [OneOf(['a', 'b'], 'b'), 'c', 'b'],
    [Nullable(Text), 7, null],
    [Nullable(Text), undefined, null],
    [Type.Array(Text), 'a', []],
    [Type.Array(Text), { 0: 'a' }, []],
    [Type.Array(Text), ['a', 7, null, 'b'], ['a', 'b']],
    [Type.Array(OneOf(['a', 'b'])), ['c', 'b'], ['b']],
    [Type.Record(Type.String(), Type.Integer()), { a: 1, b: 'x' }, { a: 1 }],
    [Type.Record(Type.String(), Type.Integer()), [1], {}],
    [Nothing, 'done', {}],
    [Nothing, { extra: 1 }, {}],
  ] as const)('shows nothing and breaks nothing: %j, %j', (schema: Type.TSchema, value: unknown, expected: unknown) => {
    expect(readRecord(schema, value)).toEqual(expected);
  });
});

describe('a record', () => {
  const Row = Type.Object({
    id: Type.Integer(),
    name: Text,
    note: Type.Optional(Text),
    state: Type.Optional(OneOf(['on', 'off'])),
    inner: Type.Object({ list: Type.Array(Type.Object({ at: Timestamp })) }),
  });

  it.each([undefined, null, 7, 'row', [], true])('has all fields that it must have, read from %j', (value) => {
    expect(readRecord(Row, value)).toEqual({ id: 0, name: '', inner: { list: [] } });
  });

  it('keeps what fits, deep in it too, and drops what it does not name', () => {
    const value = { id: 1, name: null, extra: 2, inner: { list: [{ at: 5, more: 1 }, 6, { at: 'x' }], also: 3 } };
    expect(readRecord(Row, value)).toEqual({ id: 1, name: '', inner: { list: [{ at: 5 }, { at: 0 }] } });
  });

  it('has fields that may be missing only where they are of their kind', () => {
    const fields = (value: unknown) => Object.keys(readRecord(Row, value));
    expect(fields({ note: 'n', state: 'off' })).toEqual(['id', 'name', 'note', 'state', 'inner']);
    expect(fields({ note: 7, state: 'broken' })).toEqual(['id', 'name', 'inner']);
  });

  it('takes no field from what all objects have', () => {
    const Odd = Type.Object({ toString: Type.Optional(Type.Unknown()), constructor: Type.Unknown() });
    expect(readRecord(Odd, {})).toEqual({ constructor: undefined });
  });
});

describe('one of several records', () => {
  const Shape = Type.Union([
    Type.Object({ kind: Type.Literal('circle'), radius: Type.Number() }),
    Type.Object({ kind: OneOf(['square', 'cube']), side: Type.Number() }),
    Type.Null(),
  ]);

  it.each([
    [
      { kind: 'circle', radius: 2 },
      { kind: 'circle', radius: 2 },
    ],
    [
      { kind: 'cube', side: 3, radius: 2 },
      { kind: 'cube', side: 3 },
    ],
    [
      { kind: 'square', side: 'x' },
      { kind: 'square', side: 0 },
    ],
    [
      { kind: 'star', radius: 2 },
      { kind: 'circle', radius: 2 },
    ],
    [null, null],
    ['circle', null],
  ])('is told by its texts: %j', (value, expected) => {
    expect(readRecord(Shape, value)).toEqual(expected);
  });
});

const ANSWERS = {
  AuditPage: ListPageOf(AuditRow),
  LinkPage: ListPageOf(LinkRow),
  LinkDevices,
  MadeLink,
  DeviceView,
  DownloadAddress,
  DashboardFigures,
  SystemFigures,
  DeviceDetails,
  MapSource,
  EventDevices,
  EvidenceHolds,
  ExportState,
  RecordedChannels,
  RecordingsOnDevice,
  ServerInfo,
} as const;

interface JsonSchema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
}

/** Values of the schema, in which any part may be missing, or something else. */
const nearly = (schema: JsonSchema): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 4, arbitrary: valuesOf(schema, nearly) }, { weight: 1, arbitrary: fc.jsonValue() });

const exactly = (schema: JsonSchema): fc.Arbitrary<unknown> => valuesOf(schema, exactly);

function valuesOf(schema: JsonSchema, inner: (schema: JsonSchema) => fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const { type, properties, required = [], items, anyOf, enum: values, minimum } = schema;
  if (anyOf !== undefined) return fc.oneof(...anyOf.map(inner));
  if (values !== undefined) return fc.constantFrom(...values);
  if (type === 'array') return fc.array(inner(items ?? {}), { maxLength: 3 });
  if (type === 'integer') return fc.integer(inner === exactly && minimum !== undefined ? { min: minimum } : {});
  if (type === 'number') return fc.double({ noNaN: true, noDefaultInfinity: true });
  if (type === 'string') return fc.string();
  if (type === 'boolean') return fc.boolean();
  if (type === 'null') return fc.constant(null);
  if (properties === undefined) return fc.dictionary(fc.string(), fc.jsonValue());
  const fields = Object.entries(properties).map(([name, each]) => [name, inner(each)] as const);
  return fc.record(Object.fromEntries(fields), { requiredKeys: inner === exactly ? [...required] : [] });
}

describe.each(Object.entries(ANSWERS))('an answer that should be %s', (_name, schema: Type.TSchema) => {
  it('reads as one, whatever it is, and again as the same', () => {
    fc.assert(
      fc.property(nearly(schema as JsonSchema), (value) => {
        const read = readRecord(schema, value);
        expect(Check(schema, read), JSON.stringify(read)).toBe(true);
        expect(readRecord(schema, read)).toEqual(read);
      }),
    );
  });

  it('stays as it is when it is one', () => {
    fc.assert(
      fc.property(exactly(schema as JsonSchema), (value) => {
        expect(Check(schema, value), JSON.stringify(value)).toBe(true);
        expect(readRecord(schema, value)).toEqual(value);
      }),
    );
  });
});
