import { describe, expect, it } from 'vitest';
import {
  completionOf,
  failureOf,
  uploadIdIn,
  uploadIdsIn,
} from '../../../../../server/backup/copy/bucket/bucketAnswer.ts';

const error = (code: string) => `<?xml version="1.0"?>\n<Error><Code>${code}</Code><Message>m</Message></Error>`;

describe('failureOf', () => {
  it.each([
    [200, ''],
    [204, ''],
    [200, '<CompleteMultipartUploadResult/>'],
  ])('is none for %i with %j', (status, text) => expect(failureOf({ status, text })).toBeUndefined());

  it.each([
    [500, '', '500'],
    [503, error('SlowDown'), '503 SlowDown'],
    [429, '', '429'],
    [408, '', '408'],
    [200, error('InternalError'), '200 InternalError'],
    [400, error('RequestTimeout'), '400 RequestTimeout'],
    [404, error('NoSuchUpload'), '404 NoSuchUpload'],
  ])('can pass: %i with %j', (status, text, detail) => {
    expect(failureOf({ status, text })).toEqual({ ok: false, fault: 'copy-unreachable', detail });
  });

  it.each([
    [403, error('SignatureDoesNotMatch'), '403 SignatureDoesNotMatch'],
    [404, error('NoSuchBucket'), '404 NoSuchBucket'],
    [301, '', '301'],
    [200, error('AccessDenied'), '200 AccessDenied'],
    [400, '<Error>no code</Error>', '400 Error'],
    [400, error('a text <b>'), '400 Error'],
  ])('is refused: %i with %j', (status, text, detail) => {
    expect(failureOf({ status, text })).toEqual({ ok: false, fault: 'copy-refused', detail });
  });
});

it('reads the ID of an upload as it was meant, and none where there is none', () => {
  expect(uploadIdIn('<R><UploadId>a&amp;b&lt;&quot;</UploadId></R>')).toBe('a&b<"');
  expect(uploadIdIn('<R><UploadId></UploadId></R>')).toBeUndefined();
  expect(uploadIdIn('<html>')).toBeUndefined();
});

it('reads the uploads of one key out of a list', () => {
  const upload = (key: string, id: string) => `<Upload><Key>${key}</Key><UploadId>${id}</UploadId></Upload>`;
  const list = `<R><Prefix>a</Prefix>${upload('a', '1')}${upload('a.b', '2')}${upload('a', '3')}</R>`;
  expect(uploadIdsIn(list, 'a')).toEqual(['1', '3']);
  expect(uploadIdsIn('<R></R>', 'a')).toEqual([]);
});

it('names the parts in order, with what they were answered with', () => {
  expect(completionOf(['"a"', '"b"'])).toContain(
    '<Part><PartNumber>1</PartNumber><ETag>&quot;a&quot;</ETag></Part><Part><PartNumber>2</PartNumber><ETag>&quot;b&quot;</ETag></Part>',
  );
});
