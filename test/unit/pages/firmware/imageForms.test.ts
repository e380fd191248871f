import { describe, expect, it } from 'vitest';
import { queryOfView, viewOfQuery } from '../../../../pages/innerpage/firmware/firmwareAddress.ts';
import { checkImage, NEW_IMAGE, patternsOf } from '../../../../pages/innerpage/firmware/images/imageForm.ts';
import {
  checkModel,
  contentOfDraft,
  draftOfModel,
  NEW_MODEL,
} from '../../../../pages/innerpage/firmware/models/modelForm.ts';
import { aFirmwareModel } from '../../../support/firmware/firmwareRecords.ts';

describe('patterns of models', () => {
  it('are separated by commas of any input method and by lines, each taken once', () => {
    expect(patternsOf(' MDVR-8*, X1，X2、X3\nX1,, ')).toEqual(['MDVR-8*', 'X1', 'X2', 'X3']);
  });
});

describe('the form of an image', () => {
  const texts = {
    noName: 'no name',
    noModel: 'no model',
    manyModels: 'many models',
    longModel: 'long model',
    noVersion: 'no version',
    noFile: 'no file',
  };
  const good = { ...NEW_IMAGE, name: 'A', models: 'X', firmwareVersion: 'V1' };

  it('needs a file when it is new, and none later', () => {
    expect(checkImage(good, true, texts).upload).toBe('no file');
    expect(checkImage(good, false, texts).upload).toBeUndefined();
    expect(checkImage({ ...good, upload: 'id' }, true, texts).upload).toBeUndefined();
  });

  it.each([
    ['', 'no model'],
    [' , ', 'no model'],
    ['x'.repeat(61), 'long model'],
    [Array.from({ length: 51 }, (_, at) => `M${at}`).join(), 'many models'],
    [Array.from({ length: 50 }, (_, at) => `M${at}`).join(), undefined],
  ])('models %#: %s', (models, problem) => {
    expect(checkImage({ ...good, models }, false, texts).models).toBe(problem);
  });
});

describe('the form of a model', () => {
  const texts = { noPattern: 'no pattern', noTemplate: 'no template', noUrl: 'no url', range: () => 'range' };

  it('asks for a text only where the method has one', () => {
    expect(checkModel({ ...NEW_MODEL, pattern: 'X' }, texts).template).toBeUndefined();
    expect(checkModel({ ...NEW_MODEL, pattern: 'X', method: 'text' }, texts).template).toBe('no template');
    expect(checkModel({ ...NEW_MODEL, method: 'passthrough', template: 'GO' }, texts).template).toBe('no url');
    expect(checkModel({ ...NEW_MODEL, method: 'text', template: 'GO {url}' }, texts).template).toBeUndefined();
  });

  it.each([0, 9, 1.5, null, Number.NaN])('refuses %s packages in flight', (window) => {
    expect(checkModel({ ...NEW_MODEL, window }, texts).window).toBe('range');
  });

  it('looks at no field that the method has no use for, and sends something sensible in its place', () => {
    const method = 'http';
    for (const [window, passthroughType] of [
      [null, 300],
      [Number.NaN, Number.NaN],
      [1.5, null],
    ] as const) {
      const draft = { ...NEW_MODEL, pattern: 'X', method, window, passthroughType } as const;
      expect(Object.values(checkModel(draft, texts)).filter((text) => text !== undefined)).toEqual([]);
      expect(contentOfDraft(draft)).toMatchObject({ window: 8, passthroughType: 0 });
    }
    expect(checkModel({ ...NEW_MODEL, method: 'passthrough', passthroughType: 300 }, texts).passthroughType).toBe(
      'range',
    );
    expect(contentOfDraft({ ...NEW_MODEL, method, window: 2, passthroughType: 9 })).toMatchObject({
      window: 2,
      passthroughType: 9,
    });
  });

  it.each([
    [4, 'range'],
    [5, undefined],
    [5_000, undefined],
    [5_001, 'range'],
    [null, 'range'],
    [7.5, 'range'],
  ])('asks for an interval of %s ms where packages are paced by time: %s', (intervalMs, problem) => {
    const draft = { ...NEW_MODEL, pattern: 'X', pacing: 'time', intervalMs } as const;
    expect(checkModel(draft, texts).intervalMs).toBe(problem);
    expect(checkModel({ ...draft, pacing: 'acknowledged' }, texts).intervalMs).toBeUndefined();
    expect(contentOfDraft(draft).packageIntervalMs).toBe(problem === undefined ? intervalMs : 50);
    expect(contentOfDraft({ ...draft, pacing: 'acknowledged' }).packageIntervalMs).toBe(0);
  });

  it.each([0, 120])('gives back a model whose interval is %i ms', (packageIntervalMs) => {
    const model = aFirmwareModel({ packageIntervalMs });
    expect(model).toMatchObject(contentOfDraft(draftOfModel(model)));
  });

  it('gives back the model that it was opened with', () => {
    const model = aFirmwareModel({ manufacturerBytes: 11, window: 1, method: 'passthrough', passthroughType: 240 });
    expect(model).toMatchObject(contentOfDraft(draftOfModel(model)));
  });
});

describe('the address', () => {
  it.each([
    ['', { tab: 'tasks', task: undefined, installed: undefined }],
    ['tab=versions', { tab: 'versions', task: undefined, installed: undefined }],
    ['task=12', { tab: 'tasks', task: 12, installed: undefined }],
    [
      'tab=versions&manufacturer=ACME&model=MDVR+8&version=V2.4',
      {
        tab: 'versions',
        task: undefined,
        installed: { manufacturer: 'ACME', model: 'MDVR 8', firmwareVersion: 'V2.4' },
      },
    ],
    [
      'tab=versions&version=',
      { tab: 'versions', task: undefined, installed: { manufacturer: '', model: '', firmwareVersion: '' } },
    ],
  ] as const)('%j', (query, view) => {
    expect(viewOfQuery(query)).toEqual(view);
    expect(queryOfView(view)).toBe(query);
  });

  it.each([
    'tab=x',
    'version=V2',
    'tab=x&model=M&version=V2',
    'task=0',
    'task=-1',
    'task=1e3',
    'task=1234567890123456',
  ])('ignores %j', (query) => {
    expect(viewOfQuery(query)).toEqual({ tab: 'tasks', task: undefined, installed: undefined });
  });

  it('of another tab names no version', () => {
    const installed = { manufacturer: '', model: '', firmwareVersion: 'V2' };
    expect(queryOfView({ tab: 'images', task: undefined, installed })).toBe('tab=images');
  });
});
