import { readdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { FtpFile } from '../../../server/ftp/ftpLogin.ts';
import { waitFor } from '../../support/waitFor.ts';
import { dial, listenOnce, patterned, RawFtpClient, startFtpScene } from './ftpScene.ts';

const BYTES = patterned(300_000);

describe('files that a terminal stores', () => {
  it('lie in the folder of the login under names of ours, whole once they are acknowledged', async () => {
    const scene = await startFtpScene();
    const upload = await scene.upload();
    const terminal = await dial(upload.address);
    expect(await terminal.store('STOR ../../etc/passwd', BYTES)).toMatch(/^226 /);
    const [file] = upload.files;
    expect(file).toMatchObject({ name: 'passwd', bytes: BYTES.length, isWhole: true });
    expect(dirname(file?.path ?? '')).toBe(upload.folder);
    expect(await readFile(file?.path ?? '')).toEqual(BYTES);
    expect(await readdir(scene.folder)).toEqual(['upload1']);
    expect(upload.receivedBytes()).toBe(BYTES.length);
    expect(scene.faults).toEqual([]);
  });

  it.each(['PASV', 'EPSV', 'EPSV 1'])('come over %s', async (command) => {
    const scene = await startFtpScene();
    const upload = await scene.upload();
    const terminal = await dial(upload.address);
    const data = await terminal.data(command);
    expect(await terminal.code('STOR a.mp4')).toBe(150);
    data.end(BYTES);
    expect(await terminal.reply()).toMatch(/^226 /);
    expect(upload.files.map(({ isWhole }) => isWhole)).toEqual([true]);
  });

  it.each(['PORT', 'EPRT'])('come over %s to the terminal itself, and to nobody else', async (command) => {
    const scene = await startFtpScene();
    const upload = await scene.upload();
    const terminal = await dial(upload.address);
    const { port, came } = await listenOnce();
    const argument = (host: string, at: number): string =>
      command === 'PORT' ? [...host.split('.'), at >>> 8, at & 255].join(',') : `|1|${host}|${at}|`;
    expect(await terminal.code(`${command} ${argument('127.0.0.2', port)}`)).toBe(501);
    expect(await terminal.code(`${command} ${argument('127.0.0.1', 22)}`)).toBe(501);
    expect(await terminal.code(`${command} ${argument('127.0.0.1', port)}`)).toBe(200);
    terminal.send('STOR a.mp4\r\n');
    (await came).end(BYTES);
    expect(await terminal.reply()).toMatch(/^150 /);
    expect(await terminal.reply()).toMatch(/^226 /);
    expect(upload.files.map(({ bytes, isWhole }) => [bytes, isWhole])).toEqual([[BYTES.length, true]]);
  });

  it('are not whole when the data connection was reset, and go on behind what is there', async () => {
    const scene = await startFtpScene();
    const upload = await scene.upload();
    const first = await dial(upload.address);
    const data = await first.data();
    expect(await first.code('STOR a.mp4')).toBe(150);
    data.write(BYTES.subarray(0, 100_000));
    await waitFor('the bytes are written', () => upload.receivedBytes() === 100_000);
    data.resetAndDestroy();
    expect(await first.reply()).toMatch(/^426 /);
    expect(upload.files).toMatchObject([{ bytes: 100_000, isWhole: false }]);
    // In a connection of its own, as after a tunnel.
    const second = await dial(upload.address);
    expect(await second.ask('SIZE a.mp4')).toBe('213 100000');
    expect(await second.code('REST 100000')).toBe(350);
    expect(await second.store('STOR a.mp4', BYTES.subarray(100_000))).toMatch(/^226 /);
    expect(upload.files[1]).toMatchObject({ path: upload.files[0]?.path, bytes: BYTES.length, isWhole: true });
    expect(await readFile(upload.files[1]?.path ?? '')).toEqual(BYTES);
  });

  it('are continued by APPE, and written over from where REST says', async () => {
    const scene = await startFtpScene();
    const upload = await scene.upload();
    const terminal = await dial(upload.address);
    await terminal.store('STOR a', BYTES.subarray(0, 1_000));
    expect(await terminal.store('APPE a', BYTES.subarray(1_000, 3_000))).toMatch(/^226 /);
    expect(await terminal.code('REST 2000')).toBe(350);
    expect(await terminal.store('STOR a', BYTES.subarray(2_000, 2_500))).toMatch(/^226 /);
    expect(new Set(upload.files.map(({ path }) => path)).size).toBe(1);
    expect(await readFile(upload.files[0]?.path ?? '')).toEqual(BYTES.subarray(0, 2_500));
    await terminal.code('REST 2501');
    expect(await terminal.store('STOR a', BYTES)).toMatch(/^554 /);
  });

  it('get a file of their own when a whole one of the name is there', async () => {
    const scene = await startFtpScene();
    const upload = await scene.upload();
    const terminal = await dial(upload.address);
    await terminal.store('STOR a', BYTES.subarray(0, 10));
    await terminal.store('STOR a', BYTES.subarray(0, 20));
    expect(new Set(upload.files.map(({ path }) => path)).size).toBe(2);
    expect(await readFile(upload.files[0]?.path ?? '')).toHaveLength(10);
  });

  it('are not whole when less came than ALLO announced', async () => {
    const scene = await startFtpScene();
    const upload = await scene.upload();
    const terminal = await dial(upload.address);
    expect(await terminal.code('ALLO 1000')).toBe(200);
    expect(await terminal.store('STOR a', BYTES.subarray(0, 999))).toMatch(/^426 /);
    expect(await terminal.code('ALLO 1')).toBe(200);
    expect(await terminal.store('APPE a', BYTES.subarray(999, 1_000))).toMatch(/^226 /);
    expect(upload.files.map(({ isWhole }) => isWhole)).toEqual([false, true]);
  });

  it('are not whole when the control connection ended with the data connection', async () => {
    const scene = await startFtpScene();
    const upload = await scene.upload();
    const terminal = await dial(upload.address);
    const data = await terminal.data();
    await terminal.code('STOR a.mp4');
    data.write(BYTES.subarray(0, 5_000));
    await waitFor('the bytes are written', () => upload.receivedBytes() === 5_000);
    terminal.socket.destroy();
    await waitFor('the transfer is over', () => upload.files.length);
    expect(upload.files).toMatchObject([{ bytes: 5_000, isWhole: false }]);
  });

  it('end with ABOR, whose telnet escapes are no part of it', async () => {
    const scene = await startFtpScene();
    const upload = await scene.upload();
    const terminal = await dial(upload.address);
    const data = await terminal.data();
    await terminal.code('STOR a.mp4');
    data.write(BYTES.subarray(0, 5_000));
    await waitFor('the bytes are written', () => upload.receivedBytes() === 5_000);
    terminal.send(Buffer.from([0xff, 0xf4, 0xff, 0xf2]));
    terminal.send('ABOR\r\n');
    expect([await terminal.reply(), await terminal.reply()].map((text) => text.slice(0, 3))).toEqual(['426', '226']);
    expect(upload.files).toMatchObject([{ bytes: 5_000, isWhole: false }]);
    expect(await terminal.code('NOOP')).toBe(200);
  });

  it('are taken over by a terminal that came back before its old connection was found to be dead', async () => {
    const scene = await startFtpScene();
    const upload = await scene.upload();
    const old = await dial(upload.address);
    const data = await old.data();
    await old.code('STOR a');
    data.write(BYTES.subarray(0, 1_000));
    await waitFor('the bytes are written', () => upload.receivedBytes() === 1_000);
    const again = await dial(upload.address);
    expect(await again.store('APPE a', BYTES.subarray(1_000, 2_000))).toMatch(/^226 /);
    expect(await old.reply()).toMatch(/^426 /);
    expect(await readFile(upload.files[1]?.path ?? '')).toEqual(BYTES.subarray(0, 2_000));
  });

  it('are bounded in bytes and in number', async () => {
    const scene = await startFtpScene();
    const upload = await scene.upload({ maxBytes: 100_000, maxFiles: 2 });
    const terminal = await dial(upload.address);
    expect(await terminal.code('ALLO 100001')).toBe(552);
    expect(await terminal.store('STOR a', BYTES.subarray(0, 60_000))).toMatch(/^226 /);
    expect(await terminal.store('STOR b', BYTES)).toMatch(/^552 /);
    expect(await terminal.store('STOR c', BYTES.subarray(0, 1))).toMatch(/^552 /);
    expect(upload.files.map(({ isWhole }) => isWhole)).toEqual([true, false]);
    expect(scene.limits).toEqual(['ftp.bytes.login', 'ftp.files.login']);
  });

  it('are refused where the disk has no room to spare', async () => {
    const scene = await startFtpScene();
    const upload = await scene.upload({ hasRoom: async () => false });
    const terminal = await dial(upload.address);
    expect(await terminal.store('STOR a', BYTES)).toMatch(/^452 /);
    expect(upload.files).toMatchObject([{ bytes: 0, isWhole: false }]);
    expect(scene.faults).toHaveLength(1);
  });

  it('come whole from a terminal that has sent everything before its command, even nothing', async () => {
    const scene = await startFtpScene();
    const upload = await scene.upload();
    const terminal = await dial(upload.address);
    for (const length of [0, 100, BYTES.length]) {
      const data = await terminal.data();
      data.end(BYTES.subarray(0, length));
      expect(await terminal.code('NOOP')).toBe(200);
      expect(await terminal.code(`STOR ${length}`)).toBe(150);
      expect(await terminal.reply()).toMatch(/^226 /);
    }
    expect(upload.files.map(({ bytes, isWhole }) => [bytes, isWhole])).toEqual([
      [0, true],
      [100, true],
      [BYTES.length, true],
    ]);
  });

  it('are acknowledged once whoever is told of them has noted it', async () => {
    const scene = await startFtpScene();
    let note = (): void => undefined;
    const noted = new Promise<void>((resolve) => {
      note = resolve;
    });
    let isTold = false;
    const upload = await scene.upload({
      onFile: () => {
        isTold = true;
        return noted;
      },
    });
    const terminal = await dial(upload.address);
    let isAcknowledged = false;
    const stored = terminal.store('STOR a', BYTES.subarray(0, 100)).finally(() => {
      isAcknowledged = true;
    });
    await waitFor('it is told', () => isTold);
    expect(isAcknowledged).toBe(false);
    note();
    expect(await stored).toMatch(/^226 /);
  });

  it('are not acknowledged when they could not be noted', async () => {
    const scene = await startFtpScene();
    const told: FtpFile[] = [];
    let isFull = true;
    const upload = await scene.upload({
      onFile: async (file) => {
        told.push(file);
        if (isFull) throw new Error('no room for a note');
      },
    });
    const terminal = await dial(upload.address);
    expect(await terminal.store('STOR a', BYTES.subarray(0, 100))).toMatch(/^451 /);
    expect(scene.faults.splice(0).map(({ message }) => message)).toEqual(['a file transfer could not be told']);
    expect(scene.notes.at(-1)).toMatchObject({ kind: 'stored', isWhole: false });
    // The listener may take it for whole: nothing is written over until it has heard otherwise.
    expect(await terminal.store('STOR a', BYTES.subarray(0, 50))).toMatch(/^451 /);
    expect(await readFile(told[0]?.path ?? '')).toEqual(BYTES.subarray(0, 100));
    isFull = false;
    expect(await terminal.store('STOR a', BYTES.subarray(0, 50))).toMatch(/^226 /);
    expect(told.map(({ bytes, isWhole }) => [bytes, isWhole])).toEqual([
      [100, true],
      [100, false],
      [100, false],
      [50, true],
    ]);
    expect(new Set(told.map(({ path }) => path)).size).toBe(1);
  });

  it('are stored also when whoever counts their bytes fails', async () => {
    const scene = await startFtpScene();
    const upload = await scene.upload({
      onBytes: () => {
        throw new Error('a fault of the listener');
      },
    });
    const terminal = await dial(upload.address);
    expect(await terminal.store('STOR a', BYTES.subarray(0, 100))).toMatch(/^226 /);
    expect(scene.faults.map(({ message }) => message)).toEqual(['a file transfer could not be told']);
  });

  it('stay as they are when the connection that would write over them does not come', async () => {
    const scene = await startFtpScene();
    const upload = await scene.upload();
    const terminal = await dial(upload.address);
    await terminal.store('STOR a', BYTES.subarray(0, 1_000));
    await terminal.code('REST 10');
    // Nobody listens there.
    expect(await terminal.code('PORT 127,0,0,1,255,255')).toBe(200);
    terminal.send('STOR a\r\n');
    expect([(await terminal.reply()).slice(0, 3), (await terminal.reply()).slice(0, 3)]).toEqual(['150', '425']);
    expect(await readFile(upload.files[0]?.path ?? '')).toHaveLength(1_000);
    expect(upload.files.map(({ isWhole }) => isWhole)).toEqual([true]);
    expect(await terminal.ask('SIZE a')).toBe('213 1000');
    // It still is the whole one, which somebody may be reading.
    await terminal.store('STOR a', BYTES.subarray(0, 10));
    expect(await readFile(upload.files[0]?.path ?? '')).toHaveLength(1_000);
  });

  it('are no longer whole for whoever was told so before anything is written over', async () => {
    const scene = await startFtpScene();
    const lengths: [boolean, number][] = [];
    const upload = await scene.upload({
      onFile: async ({ path, isWhole }) => void lengths.push([isWhole, (await readFile(path)).length]),
    });
    const terminal = await dial(upload.address);
    await terminal.store('STOR a', BYTES.subarray(0, 1_000));
    await terminal.code('REST 10');
    const data = await terminal.data();
    expect(await terminal.code('STOR a')).toBe(150);
    await waitFor('it is told', () => lengths.length === 2);
    // The end of the login, of which nobody hears.
    upload.close();
    data.destroy();
    expect(lengths).toEqual([
      [true, 1_000],
      [false, 1_000],
    ]);
  });

  it('may be renamed', async () => {
    const scene = await startFtpScene();
    const upload = await scene.upload();
    const terminal = await dial(upload.address);
    await terminal.store('STOR a.tmp', BYTES.subarray(0, 10));
    expect([await terminal.code('RNFR a.tmp'), await terminal.code('RNTO a.mp4')]).toEqual([350, 250]);
    expect([await terminal.ask('SIZE a.mp4'), await terminal.code('SIZE a.tmp')]).toEqual(['213 10', 550]);
  });

  it('are answered in turn when the commands come all at once', async () => {
    const scene = await startFtpScene();
    const upload = await scene.upload();
    const terminal = new RawFtpClient(upload.address);
    const { port, came } = await listenOnce();
    const { user, password } = upload.address;
    terminal.send(
      `USER ${user}\r\nPASS ${password}\r\nTYPE I\r\nPORT 127,0,0,1,${port >>> 8},${port & 255}\r\nSTOR a\r\nSIZE a\r\nQUIT\r\n`,
    );
    (await came).end(BYTES);
    const replies: string[] = [];
    for (let at = 0; at < 9; at++) replies.push((await terminal.reply()).slice(0, 3));
    expect(replies).toEqual(['220', '331', '230', '200', '200', '150', '226', '213', '221']);
    expect(upload.files).toMatchObject([{ bytes: BYTES.length, isWhole: true }]);
    await terminal.closed();
  });

  it('are refused without a data connection', async () => {
    const scene = await startFtpScene();
    const upload = await scene.upload();
    const terminal = await dial(upload.address);
    expect(await terminal.code('STOR a')).toBe(425);
    expect(await terminal.code('STOR /')).toBe(553);
    expect(await terminal.code('RETR a')).toBe(550);
  });
});
