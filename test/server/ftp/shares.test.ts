import { expect, it } from 'vitest';
import { LOGIN_CONNECTIONS_LIMIT, LOGINS_LIMIT } from '../../../server/ftp/ftpLimits.ts';
import { OWNERS_BY_HUNDRED } from '../../support/fakes/deviceOwners.ts';
import { freePorts } from '../../support/freePorts.ts';
import { dial, RawFtpClient, startFtpScene } from './ftpScene.ts';

it('terminals of one member group sign in and get a port while those of another one have signed in as often as they may', async () => {
  const scene = await startFtpScene({ owners: OWNERS_BY_HUNDRED });
  const answers: string[] = [];
  for (let device = 101; answers.at(-1)?.startsWith('421') !== true; device++) {
    const { address } = await scene.upload({ deviceId: `BUS${device}` });
    for (let at = 0; at < LOGIN_CONNECTIONS_LIMIT.max; at++) {
      const terminal = new RawFtpClient(address);
      await terminal.reply();
      await terminal.ask(`USER ${address.user}`);
      answers.push(await terminal.ask(`PASS ${address.password}`));
      if (answers.at(-1)?.startsWith('230') !== true) break;
      expect(await terminal.code('EPSV')).toBe(229);
    }
  }
  // So far, no more than their share.
  expect(answers).toHaveLength(76);
  const other = await scene.upload({ deviceId: 'BUS201' });
  const terminal = await dial(other.address);
  expect((await terminal.store('STOR a', Buffer.from('abc'))).slice(0, 3)).toBe('226');
});

it('a terminal that gets no port hears so in words, and one of another member group gets one', async () => {
  // Another program may have one of them.
  const [first = 0] = await freePorts(1);
  const scene = await startFtpScene({ owners: OWNERS_BY_HUNDRED }, { first, last: first + 9 });
  const ask = async (device: number): Promise<string> => {
    const { address } = await scene.upload({ deviceId: `BUS${device}` });
    return (await dial(address)).ask('EPSV');
  };
  for (let device = 101; device <= 108; device++) expect(await ask(device)).toMatch(/^229 /);
  expect(await ask(109)).toBe('425 No port is free for a data connection now: ask again in some seconds');
  expect(await ask(201)).toMatch(/^229 /);
});

it('logins of a member group leave room for those of others', async () => {
  const scene = await startFtpScene({ owners: OWNERS_BY_HUNDRED });
  let opened = 0;
  for (; opened <= LOGINS_LIMIT.max; opened++)
    if ((await scene.upload({ deviceId: 'BUS101' }).catch(() => undefined)) === undefined) break;
  expect(opened).toBe((LOGINS_LIMIT.max * 3) / 4);
  expect(await scene.upload({ deviceId: 'BUS201' })).toBeDefined();
});
