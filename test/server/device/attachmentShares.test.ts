import { expect, it } from 'vitest';
import { UPLOADS_LIMIT } from '../../../server/device/attachments/attachmentLimits.ts';
import { GeneralResult } from '../../../server/device/jt808/codec/codes.ts';
import { OWNERS_BY_HUNDRED } from '../../support/fakes/deviceOwners.ts';
import { openPort } from '../limits/terminals/attachmentCases.ts';

const FILES = [{ name: 'a', sizeBytes: 100 }] as const;

it('files of an alarm are taken of one member group while another one brings as many as it may', async () => {
  const limits: string[] = [];
  const { dial, busy } = openPort(({ name }) => limits.push(name), OWNERS_BY_HUNDRED);
  let taken = 0;
  while ((await dial().list(`BUS1${String(taken % 99).padStart(2, '0')}/${taken}`, FILES)) === GeneralResult.Ok)
    taken++;
  expect([taken, limits]).toEqual([(UPLOADS_LIMIT.max * 3) / 4, [UPLOADS_LIMIT.name]]);
  // Whose files wait for the place is told: the terminal is asked for them again.
  expect(busy).toHaveLength(1);
  expect(await dial().list('BUS201/1', FILES)).toBe(GeneralResult.Ok);
});
