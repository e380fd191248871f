import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLog } from '../../../../server/process/log.ts';
import { scrubbedLine } from '../../../../server/support/logLines.ts';
import { Pseudonyms } from '../../../../server/support/pseudonyms.ts';

const SALT = new Uint8Array(32);
const pseudonyms = new Pseudonyms(SALT);

/** What the gateway's log makes of it, scrubbed. */
function logged(fields: object, msg: string): Record<string, unknown> {
  let line = '';
  const write = (text: string) => {
    line = text;
  };
  createLog('info', { write }).error(fields, msg);
  return { ...scrubbedLine(line, pseudonyms) };
}

describe('a line of the log in a support bundle', () => {
  it('keeps what the product has written itself', () => {
    const request = { method: 'GET', route: '/api/link/links/:id', status: 200, ms: 12, isLate: true };
    expect(logged(request, 'request')).toMatchObject({
      ...request,
      level: 50,
      time: expect.any(Number),
      msg: 'request',
    });
  });

  it('keeps of an error its kind, its code and where it was thrown, with its causes', () => {
    const cause = Object.assign(new RangeError('Mei Lin'), { code: 'ENOENT' });
    const error = Object.assign(new TypeError('BUS1 at 25.03, 121.5', { cause }), { code: 'SQLITE_BUSY' });
    const { err } = logged({ err: error }, 'positions') as { err: { stack: readonly string[] } };
    expect(err).toMatchObject({
      type: 'TypeError',
      code: 'SQLITE_BUSY',
      message: expect.stringMatching(/^text-[0-9a-f]{10}$/),
    });
    expect(err.stack).toContain('caused by RangeError');
    expect(err.stack.length).toBeGreaterThan(2);
    for (const line of err.stack)
      expect(line).toMatch(/^caused by \w+$|(node:|node_modules\/|server\/)[\w@.+/-]+:\d+:\d+$/);
  });

  it('keeps of a path what lies in the product', () => {
    const stack =
      'Error: x\n    at Recorder.start (file:///home/server/mei/dist/gateway/server/recording/recorder.js:12:3)';
    expect(logged({ err: Object.assign(new Error('x'), { stack }) }, 'x')).toMatchObject({
      err: { stack: ['Recorder.start server/recording/recorder.js:12:3'] },
    });
  });

  it('has no message of an error where the log took its own from it', () => {
    const error = new Error('Mei Lin', { cause: new Error('Wei Chen') });
    const lines: string[] = [];
    createLog('info', { write: (text) => void lines.push(text) }).error(error);
    const scrubbed = scrubbedLine(lines.join(''), pseudonyms);
    expect(scrubbed).toMatchObject({ msg: expect.stringMatching(/^text-/), err: { type: 'Error' } });
    expect(JSON.stringify(scrubbed)).not.toMatch(/Mei|Wei/);
  });

  it('replaces every other text, the same by the same', () => {
    const scrubbed = logged({ address: '10.1.2.3', proxy: '10.1.2.3', part: 'Mei <mei@example.com>' }, 'x: BUS1');
    expect(scrubbed.address).toBe(scrubbed.proxy);
    expect(scrubbed.address).toBe(pseudonyms.of('text', '10.1.2.3'));
    expect(scrubbed).toMatchObject({ part: expect.stringMatching(/^text-/), msg: 'x' });
    expect(new Pseudonyms().of('text', '10.1.2.3')).not.toBe(scrubbed.address);
  });

  it('is left out where it is none', () => {
    for (const line of ['', 'x', '[1]', 'null', '"BUS1"']) expect(scrubbedLine(line, pseudonyms)).toBeUndefined();
  });

  it('has no text from outside in it, wherever that stands', () => {
    const planted = 'Plänted';
    const text = fc.string({ unit: 'grapheme', maxLength: 12 }).map((other) => `${planted}${other}`);
    const value = fc.oneof(
      text,
      fc.array(text),
      fc.dictionary(fc.string(), text),
      text.map((message) => new Error(message)),
    );
    const fields = fc.dictionary(
      fc.constantFrom('err', 'part', 'kind', 'name', 'address', `${planted}x`, 'nested'),
      value,
    );
    fc.assert(
      fc.property(fields, text, (given, msg) => {
        expect(JSON.stringify(logged(given, `closing failed: ${msg}`))).not.toContain(planted);
      }),
    );
  });
});
