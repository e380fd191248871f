import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type FoundMessage, findMessages, namedCodes } from './messages/findMessages.ts';
import { filesIn, repository } from './sourceFiles.ts';

const ENVELOPE = 'server/http/kernel/envelope.ts';

const texts = JSON.parse(readFileSync(join(repository, 'public/locales/en/Errors.json'), 'utf8')) as Readonly<
  Record<string, string>
>;
const codes = new Set(Object.keys(texts));
const named = namedCodes(ENVELOPE, readFileSync(join(repository, ENVELOPE), 'utf8'), 'Refused');

/** Messages that say more than their code's text, for callers of the API: the pages show the text. */
const DETAILED: readonly (FoundMessage & { readonly because: string })[] = [
  ...[
    'Select a range that ends after it begins, at most one day long.',
    'Select a range that ends after it begins, at most one week long.',
    'Select a range that ends after it begins, at most one year long.',
    'Too many recordings in this range. Select a shorter one.',
    'The range reaches beyond the evidence hold. Select a shorter one.',
  ].map((message) => ({ code: 'bad-request', message, because: 'it names the limit that the range breaks' })),
  ...['The query lacks parameters of this stream.', 'The query needs deviceid and channel.'].map((message) => ({
    code: 'bad-request',
    message,
    because: 'it names what a client of the stream protocol left out',
  })),
  ...[
    'The file is too large for one answer. Request a range of bytes.',
    'The range begins beyond the end of the file. Request an earlier one.',
  ].map((message) => ({ code: 'bad-request', message, because: 'it tells a reader of the map file what to request' })),
  {
    code: 'slow-down',
    message: 'Too many pages are open. Close some and try again.',
    because: 'what there is too much of is pages, not attempts',
  },
];

function messagesIn(root: string): readonly (FoundMessage & { readonly file: string })[] {
  return filesIn(root, ['server', 'simulator'], /\.ts$/).flatMap((file) =>
    findMessages(file, readFileSync(join(root, file), 'utf8'), codes, named).map((found) => ({ file, ...found })),
  );
}

const isDetailed = ({ code, message }: FoundMessage): boolean =>
  DETAILED.some((each) => each.code === code && each.message === message);

function complaints(messages: ReturnType<typeof messagesIn>): string[] {
  return messages
    .filter((found) => texts[found.code] !== found.message && !isDetailed(found))
    .map(({ file, code, message }) => `${file}: ${code}: ${message}`);
}

const said = messagesIn(repository);

describe('what the gateway says of a refusal', () => {
  it('is what the pages say of its code in English', () => {
    expect(complaints(said)).toEqual([]);
    expect(said.length).toBeGreaterThan(70);
  });

  it('says more only where this test knows why', () => {
    const gone = DETAILED.filter(
      ({ code, message }) => !said.some((each) => each.code === code && each.message === message),
    );
    expect(gone).toEqual([]);
  });

  it('is found in every form that it is written in', () => {
    expect(complaints(messagesIn(join(import.meta.dirname, 'fixtures/messages')))).toEqual(
      [
        'forbidden: beside the code',
        'no-such-device: in a constant',
        'beyond-own: with the code in an object that is spread',
        'bad-request: by the name of a refusal',
        'file-empty: in a table by code',
        'file-quotes: in a table by code, too',
        'no-such-code: of a code without a text',
      ].map((complaint) => `server/messages.ts: ${complaint}`),
    );
  });
});
