import { describe, expect, test } from 'vitest';
import { readAnswer } from '../../../../shared/api/client.ts';

const fine = { ok: true, status: 200, statusText: 'OK' };
const teapot = { ok: false, status: 418, statusText: "I'm a teapot" };
const path = '/api/device/device';

describe('what an answer means (S-8.1, S-8.2)', () => {
  test('an unflagged success is its data', () => {
    expect(readAnswer(path, fine, '{"error":false,"data":{"chn":4}}')).toEqual({ ok: true, value: { chn: 4 } });
  });

  test('a success that leaves the flag out is one too', () => {
    expect(readAnswer(path, fine, '{"data":[1]}')).toEqual({ ok: true, value: [1] });
  });

  test.each([fine, { ok: false, status: 403, statusText: 'Forbidden' }])(
    'a flagged error shows its message, status %o',
    (head) => {
      const read = readAnswer(path, head, '{"error":true,"code":"no-device","message":"E-77"}');
      expect(read).toEqual({ ok: false, kind: 'http', status: head.status, code: 'no-device', message: 'E-77' });
    },
  );

  test.each([
    ['a flag without a message', '{"error":true}'],
    ['a flag with an empty message', '{"error":true,"message":""}'],
    ['a flag with a message that is no text', '{"error":true,"message":{"a":1}}'],
    ['no flag', '{"message":"from a proxy","code":"x"}'],
    ['a flag that is not true', '{"error":1,"message":"odd"}'],
    ['no JSON', '<html>Bad gateway</html>'],
    ['nothing', ''],
  ])('a refusal with %s gives path, status and status text', (_, text) => {
    const read = readAnswer(path, teapot, text);
    expect(read).toEqual({ ok: false, kind: 'http', status: 418, message: "/api/device/device: 418 I'm a teapot" });
  });

  test.each(['', 'null', '"text"', '[1]', '7', '{"data":'])('a success whose body is %s is a failure', (text) => {
    expect(readAnswer(path, fine, text)).toEqual({
      ok: false,
      kind: 'http',
      status: 200,
      message: '/api/device/device: 200 OK',
    });
  });

  test('HTTP/2 has no status text, and the message then has no trailing space', () => {
    const read = readAnswer(path, { ok: false, status: 502, statusText: '' }, '');
    expect(read).toMatchObject({ message: '/api/device/device: 502' });
  });
});
