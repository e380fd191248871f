// Evidence that a gateway has said it keeps, before it is killed, and whether it is there afterwards.
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { createSessions } from '../../../server/auth/sessions.ts';
import { createAlarmMark } from '../../../server/device/jt808/codec/alarmMark.ts';
import { GeneralResult, MessageId } from '../../../server/device/jt808/codec/codes.ts';
import type { Stores } from '../../../server/store/stores.ts';
import { wallMs } from '../../../shared/protocol/time.ts';
import { jpegBytes } from '../../support/media/jpegBytes.ts';
import { waitFor } from '../../support/waitFor.ts';
import type { RawTerminal } from '../device/rawTerminal.ts';
import { anEvent } from '../store/events/anEvent.ts';
import { AttachmentTerminal, sayAlarm } from './evidence/attachmentTerminal.ts';
import { heard, PLACE } from './evidence/evidenceScene.ts';

const PICTURE = jpegBytes(20_000);

/** A member, who notes something on one event in each life of the gateway. */
export interface Member {
  readonly cookie: string;
  readonly eventId: number;
}

/** Adds a member, and an event of the device with this archive. */
export async function addMember(stores: Stores, archiveNumber: number, deviceGroup: number): Promise<Member> {
  const now = wallMs(Date.now());
  const memberGroup = await stores.memberGroups.insert({ name: 'Members' });
  await stores.memberGroups.setDeviceGroups(memberGroup, [deviceGroup]);
  const id = await stores.users.insert({ username: 'ann', passwordHash: '-', permissions: ['event'] }, now);
  await stores.memberGroups.setGroupsOfUser(id, [memberGroup]);
  const user = await stores.users.findByName('ann');
  if (user === undefined) throw new Error('no user');
  const sessions = createSessions({ ...stores, now: () => wallMs(Date.now()), onLimit: () => undefined });
  const session = await sessions.begin(user, { address: '127.0.0.1', userAgent: 'test' }, false);
  const event = anEvent({ archiveNumber, beginAtMs: now, endAtMs: now + 1, severity: 'minor', alarmMark: '' });
  const [eventId = 0] = await stores.eventLog.write({ added: [event], changed: [], days: [] });
  return { cookie: `fleetglass_sid=${session.id}`, eventId };
}

export class ToldEvidence {
  readonly #pictures: number[] = [];
  readonly #files: string[] = [];
  readonly #notes: string[] = [];

  /** Sends a picture until the gateway confirms it, after which the terminal may delete its copy. */
  async picture(terminal: RawTerminal, mediaId: number): Promise<void> {
    this.sayPicture(terminal, mediaId);
    await waitFor('0x8800', () => isConfirmed(terminal, mediaId));
    this.#pictures.push(mediaId);
  }

  sayPicture(terminal: RawTerminal, mediaId: number): void {
    const position = { ...PLACE, time: wallMs(Date.now()) };
    const what = { mediaId, type: 0, format: 0, event: 0, channel: 1 };
    terminal.say({ kind: 'mediaUpload', ...what, position, data: PICTURE });
  }

  /** A picture that was under way when the gateway was killed may have been confirmed all the same. */
  noteIfConfirmed(terminal: RawTerminal, mediaId: number): void {
    if (isConfirmed(terminal, mediaId)) this.#pictures.push(mediaId);
  }

  async attachment(terminal: RawTerminal, number: string, life: number): Promise<void> {
    const mark = createAlarmMark({ terminalId: 'T1', time: undefined, serial: life, fileCount: 1 });
    const before = heard(terminal, 'attachmentRequest').length;
    const answers = positionAnswers(terminal);
    sayAlarm(terminal, { type: 1, mark });
    const asked = await waitFor('0x9208', () => heard(terminal, 'attachmentRequest').slice(before).at(-1));
    await waitFor('the alarm is answered', () => positionAnswers(terminal) > answers);
    if (asked === undefined) throw new Error('files are not asked for');
    const name = `${life}.jpg`;
    const connection = await AttachmentTerminal.dial(asked, { number });
    expect(await connection.list(asked.alarmNumber, [{ name, sizeBytes: PICTURE.length }])).toBe(GeneralResult.Ok);
    expect(await connection.file(name, PICTURE.length)).toBe(GeneralResult.Ok);
    connection.send({ name, offset: 0, data: PICTURE });
    expect(await connection.done(name, PICTURE.length)).toMatchObject({ result: 0 });
    this.#files.push(name);
  }

  async step({ cookie, eventId }: Member, address: string, note: string): Promise<void> {
    const events = [{ id: eventId, version: this.#notes.length + 1 }];
    const response = await fetch(`${address}/api/event/act`, {
      method: 'POST',
      headers: { cookie, origin: address, 'content-type': 'application/json' },
      body: JSON.stringify({ act: 'note', note, events }),
    });
    expect(await response.json()).toMatchObject({ error: false, data: { refused: [] } });
    this.#notes.push(note);
  }

  /** Each piece of evidence is there, with its file as it was sent. */
  async expectKept(folder: string, stores: Stores, { eventId }: Member): Promise<void> {
    const media = await stores.eventMedia.storedAfter(0, 10_000);
    const sha256 = createHash('sha256').update(PICTURE).digest('hex');
    for (const { file } of media) {
      const fileId = file?.fileId ?? '';
      const bytes = await readFile(join(folder, 'evidence', fileId.slice(0, 2), fileId));
      expect(createHash('sha256').update(bytes).digest('hex')).toBe(sha256);
    }
    const pictures = media.flatMap(({ terminalMediaId }) => terminalMediaId ?? []);
    expect(pictures.filter((id) => this.#pictures.includes(id)).sort((a, b) => a - b)).toEqual(this.#pictures);
    expect(media.map(({ name }) => name).filter((name) => name !== '')).toEqual(this.#files);
    const steps = (await stores.eventEvidence.find(eventId, await memberGroupOf(stores)))?.steps ?? [];
    expect(steps.map(({ note }) => note)).toEqual(this.#notes);
  }
}

async function memberGroupOf({ memberGroups, users }: Stores): Promise<number> {
  const user = await users.findByName('ann');
  const [group] = await memberGroups.listOfUser(user?.id ?? 0);
  return group?.serialno ?? 0;
}

function positionAnswers(terminal: RawTerminal): number {
  return heard(terminal, 'platformGeneralReply').filter(({ replyId }) => replyId === MessageId.position).length;
}

function isConfirmed(terminal: RawTerminal, mediaId: number): boolean {
  return heard(terminal, 'mediaUploadReply').some((reply) => reply.mediaId === mediaId);
}
