// Any line becomes an answer, whatever it holds: no exception, nothing outside the folder, no answer that could be two.
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { LINE_LIMIT } from '../../../../server/ftp/ftpLimits.ts';
import type { FtpDownloadLogin, FtpUploadLogin } from '../../../../server/ftp/ftpLogin.ts';
import { ControlLines } from '../../../../server/ftp/protocol/controlLines.ts';
import { parseFtpCommand } from '../../../../server/ftp/protocol/ftpCommand.ts';
import { newCommandState, outcomeOf } from '../../../../server/ftp/protocol/signedInCommands.ts';
import { LoginFiles } from '../../../../server/ftp/transfer/loginFiles.ts';
import { damaged, FUZZ_TIMEOUT_MS, fuzz, pick } from '../../../support/fuzz.ts';

const FOLDER = '/data/uploads/7';
const OWNER = { deviceId: 'BUS1', incarnation: 1, remoteAddress: undefined, localAddress: '10.0.0.1', untilMs: 1 };
const UPLOAD: FtpUploadLogin = {
  ...OWNER,
  kind: 'upload',
  folder: FOLDER,
  maxBytes: 1_000_000,
  maxFiles: 4,
  onBytes: () => undefined,
  onFile: () => undefined,
};
const DOWNLOAD: FtpDownloadLogin = {
  ...OWNER,
  kind: 'download',
  file: '/data/images/1',
  bytes: 1_000,
  onBytes: () => undefined,
  beforeEnd: async () => true,
};

const LINES = [
  'USER terminal',
  'PASS secret',
  'TYPE I',
  'PASV',
  'EPSV ALL',
  'PORT 10,0,0,7,200,10',
  'EPRT |1|10.0.0.7|51210|',
  'EPRT |2|2001:db8::7|51210|',
  'CWD ../../etc',
  'CWD C:\\video\\2026',
  'MKD /a"b',
  'STOR ..\\..\\etc\\passwd',
  'APPE 視頻_01.mp4',
  'STOR a\0.mp4',
  'RETR /firmware.bin',
  'REST 100000',
  'SIZE a.mp4',
  'ALLO 1000 R 100',
  'RNFR a.mp4',
  'RNTO b.mp4',
  'ABOR',
  `STOR ${'x'.repeat(2_000)}`,
].map((line) => new TextEncoder().encode(`${line}\r\n`));

describe('lines of control connections', () => {
  it(
    'are answered, however they are damaged',
    () => {
      fuzz((random) => {
        const lines = new ControlLines(LINE_LIMIT.max);
        const isUpload = random(2) === 0;
        const files = isUpload ? new LoginFiles(UPLOAD, () => undefined) : undefined;
        const login = { login: isUpload ? UPLOAD : DOWNLOAD, path: '/firmware.bin', files };
        const state = newCommandState();
        for (let turn = 0; turn < 8; turn++) {
          for (const line of lines.push(damaged(pick(LINES, random), random))) {
            if (line.kind === 'too-long') continue;
            const outcome = outcomeOf(parseFtpCommand(line.text), state, login);
            if (outcome.kind === 'reply') expect(outcome.text).toMatch(ONE_REPLY);
            if (outcome.kind === 'store') judgeFile(files, outcome);
            expect(state.folder).toMatch(/^\/(?!.*(?:^|\/)\.\.(?:\/|$))/);
          }
        }
      });
    },
    FUZZ_TIMEOUT_MS,
  );
});

/** Only the list of features has several lines. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they would make two answers of one.
const ONE_REPLY = /^\d{3} [^\u0000-\u001f]*$|^211-/;

function judgeFile(
  files: LoginFiles | undefined,
  { path, start }: { readonly path: string; readonly start: number | 'end' },
): void {
  const placed = files?.place(path, start);
  if (placed?.ok !== true) return;
  expect(dirname(placed.file.path)).toBe(FOLDER);
  expect(placed.file.path).toMatch(/\/[\da-f]{24}$/);
  files?.grow(placed.file, 1_000);
}
