import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ManualTimers } from '../../support/fakes/manualTimers.ts';
import { waitFor } from '../../support/waitFor.ts';
import { dial, patterned, RawFtpClient, startFtpScene } from './ftpScene.ts';

describe('signing in to the file transfer server', () => {
  it('takes names and passwords that fit into the small fields of terminals', async () => {
    const scene = await startFtpScene();
    const { address } = await scene.upload();
    expect(address.user).toMatch(/^[a-z0-9]{1,16}$/);
    expect(address.password).toMatch(/^[a-z0-9]{1,16}$/);
    expect(address.path).toMatch(/^\/[a-z0-9]{8}$/);
    await dial(address);
  });

  it('is for the address of the terminal alone', async () => {
    const scene = await startFtpScene();
    const { address } = await scene.upload();
    const stranger = new RawFtpClient(address, '127.0.0.2');
    await expect(stranger.signIn(address)).rejects.toThrow('530');
    const relaxed = await scene.upload({ remoteAddress: undefined });
    await new RawFtpClient(relaxed.address, '127.0.0.2').signIn(relaxed.address);
  });

  it('is refused with a wrong name as with a wrong password, and nothing is possible before', async () => {
    const scene = await startFtpScene();
    const { address } = await scene.upload();
    const terminal = new RawFtpClient(address);
    await terminal.reply();
    const before = [];
    for (const command of ['STOR a', 'PASV', 'CWD /', 'SIZE a', 'ABOR', 'PASS x'])
      before.push(await terminal.code(command));
    expect(before).toEqual([530, 530, 530, 530, 530, 530]);
    expect([await terminal.code(`USER ${address.user}`), await terminal.code('PASS wrong')]).toEqual([331, 530]);
    expect([await terminal.code('USER nobody'), await terminal.code(`PASS ${address.password}`)]).toEqual([331, 530]);
    expect([await terminal.code('USER nobody'), await terminal.code('PASS again')]).toEqual([331, 421]);
    await terminal.closed();
    expect(JSON.stringify(scene.notes)).not.toContain(address.password);
    expect(scene.notes.map(({ kind }) => kind)).toEqual(Array.from({ length: 4 }, () => 'wrong-password'));
  });

  it('ends with the login, and the transfer too', async () => {
    const scene = await startFtpScene();
    const upload = await scene.upload();
    const terminal = await dial(upload.address);
    const data = await terminal.data();
    await terminal.code('STOR a');
    data.write('x');
    await waitFor('the byte is written', () => upload.receivedBytes() === 1);
    upload.close();
    expect(await terminal.reply()).toMatch(/^421 /);
    await terminal.closed();
    await expect(dial(upload.address)).rejects.toThrow('530');
    // Whoever closed it hears nothing any more.
    expect(upload.files).toEqual([]);
  });

  it('ends when its time is over', async () => {
    const timers = new ManualTimers();
    const scene = await startFtpScene({ now: timers.now, runAfter: timers.runAfter });
    const upload = await scene.upload({ untilMs: 1_000 });
    const terminal = await dial(upload.address);
    timers.advance(1_000);
    expect(await terminal.reply()).toMatch(/^421 /);
    await terminal.closed();
    const late = await scene.upload({ untilMs: 1_000 });
    await expect(dial(late.address)).rejects.toThrow('530');
  });
});

describe('commands', () => {
  it('that terminals send besides are answered', async () => {
    const scene = await startFtpScene();
    const { address } = await scene.upload();
    const terminal = await dial(address);
    const answers: Record<string, number> = {};
    const commands = [
      'SYST',
      'FEAT',
      'TYPE A',
      'TYPE I',
      'TYPE L 8',
      'TYPE E',
      'MODE S',
      'MODE B',
      'STRU F',
      'OPTS UTF8 ON',
    ];
    commands.push(
      'NOOP',
      'noop',
      'HELP',
      'STAT',
      'ACCT x',
      'LIST',
      'NLST',
      'MLSD',
      'MLST',
      'DELE a',
      'RMD a',
      'SITE CHMOD 1',
    );
    commands.push(
      'AUTH TLS',
      'XYZ',
      'REST x',
      'ALLO',
      'EPSV 3',
      'USER x',
      'RNTO a',
      'ABOR',
      '',
      '????',
      'REST 99999999999999999',
    );
    for (const command of commands) answers[command] = await terminal.code(command);
    expect(answers).toEqual({
      SYST: 215,
      FEAT: 211,
      'TYPE A': 200,
      'TYPE I': 200,
      'TYPE L 8': 200,
      'TYPE E': 504,
      'MODE S': 200,
      'MODE B': 504,
      'STRU F': 200,
      'OPTS UTF8 ON': 200,
      NOOP: 200,
      noop: 200,
      HELP: 214,
      STAT: 211,
      'ACCT x': 202,
      LIST: 550,
      NLST: 550,
      MLSD: 550,
      MLST: 550,
      'DELE a': 550,
      'RMD a': 550,
      'SITE CHMOD 1': 502,
      'AUTH TLS': 502,
      XYZ: 502,
      'REST x': 501,
      ALLO: 501,
      'EPSV 3': 522,
      'USER x': 503,
      'RNTO a': 503,
      ABOR: 226,
      '': 500,
      '????': 500,
      'REST 99999999999999999': 501,
    });
  });

  it('name folders that are text alone', async () => {
    const scene = await startFtpScene();
    const { address } = await scene.upload();
    const terminal = await dial(address);
    expect(await terminal.ask('MKD /a"b')).toBe('257 "/a""b" made');
    expect(await terminal.code('CWD ..\\..\\video/2026')).toBe(250);
    expect(await terminal.ask('PWD')).toBe('257 "/video/2026"');
    expect([await terminal.code('CDUP'), await terminal.ask('XPWD')]).toEqual([250, '257 "/video"']);
    expect(await terminal.code('CWD a\0b')).toBe(501);
    expect(await terminal.code(`CWD ${'a/'.repeat(40)}`)).toBe(501);
    expect(await terminal.code(`STOR ${'x'.repeat(4_096)}`)).toBe(500);
    expect(await terminal.code('NOOP')).toBe(200);
    expect(await readdir(scene.folder)).toEqual(['upload1']);
    expect(scene.limits).toEqual(['ftp.line-bytes.command']);
  });

  it('read nothing but the one file of a login to fetch it', async () => {
    const scene = await startFtpScene();
    const file = join(scene.folder, 'image');
    const bytes = patterned(600_000);
    await writeFile(file, bytes);
    const { address, sent } = scene.download({ file, bytes: bytes.length });
    const terminal = await dial(address);
    const names = ['image', '/etc/passwd', '../image', file];
    for (const name of names) expect(await terminal.code(`RETR ${name}`)).toBe(550);
    expect(await terminal.ask(`SIZE ${address.path}`)).toBe(`213 ${bytes.length}`);
    expect(await terminal.code('SIZE /other')).toBe(550);
    await terminal.code('REST 500000');
    const data = await terminal.data();
    const pieces: Buffer[] = [];
    data.on('data', (piece: Buffer) => pieces.push(piece));
    expect(await terminal.code(`RETR ${address.path}`)).toBe(150);
    expect(await terminal.reply()).toMatch(/^226 /);
    await waitFor('all has come', () => Buffer.concat(pieces).length === 100_000);
    expect(Buffer.concat(pieces).equals(bytes.subarray(500_000))).toBe(true);
    expect(sent).toEqual([{ offset: 500_000, bytes: 100_000 }]);
    await terminal.code('REST 600001');
    expect(await terminal.code(`RETR ${address.path}`)).toBe(554);
  });

  it('are broken off before their end, unless it may go out', async () => {
    const scene = await startFtpScene();
    const file = join(scene.folder, 'image');
    await writeFile(file, patterned(600_000));
    const { address, sent } = scene.download({ file, bytes: 600_000, beforeEnd: async () => false });
    const terminal = await dial(address);
    await terminal.data();
    expect(await terminal.code(`RETR ${address.path}`)).toBe(150);
    expect(await terminal.reply()).toMatch(/^426 /);
    expect(sent.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(524_288);
  });

  it('are broken off when the image is gone from the disk', async () => {
    const scene = await startFtpScene();
    const { address } = scene.download({ file: join(scene.folder, 'gone'), bytes: 10 });
    const terminal = await dial(address);
    await terminal.data();
    expect(await terminal.code(`RETR ${address.path}`)).toBe(451);
    expect(scene.faults.map(({ message }) => message)).toEqual([
      expect.stringContaining('a file for a terminal could not be read'),
    ]);
  });
});

describe('a data connection', () => {
  it('is taken from the address of the terminal alone, and once', async () => {
    const scene = await startFtpScene();
    const upload = await scene.upload();
    const terminal = await dial(upload.address);
    const port = await terminal.passive('PASV');
    const stranger = new RawFtpClient({ port }, '127.0.0.2');
    await stranger.closed();
    terminal.send('STOR a\r\n');
    expect(await terminal.reply()).toMatch(/^150 /);
    const own = new RawFtpClient({ port });
    own.send('mine');
    await waitFor('the bytes are written', () => upload.receivedBytes() === 4);
    const second = new RawFtpClient({ port });
    await second.closed();
    own.socket.end();
    expect(await terminal.reply()).toMatch(/^226 /);
    expect((await readFile(upload.files[0]?.path ?? '')).toString()).toBe('mine');
  });

  it('is named with the address that the terminal knows', async () => {
    const scene = await startFtpScene();
    const terminal = await dial((await scene.upload()).address);
    expect(await terminal.ask('PASV')).toMatch(/^227 .*\(127,0,0,1,\d+,\d+\)$/);
  });

  it('whose file cannot be made is refused, and that is logged', async () => {
    const scene = await startFtpScene();
    const upload = await scene.upload({ folder: join(scene.folder, 'none') });
    const terminal = await dial(upload.address);
    await terminal.data();
    expect(await terminal.code('STOR a')).toBe(451);
    expect(scene.faults).toHaveLength(1);
  });
});
