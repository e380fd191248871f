import { beforeEach, describe, expect, it } from 'vitest';
import type { Report } from '../../../../../server/device/reportFeed.ts';
import type { QueryResult } from '../../../../../server/device/terminalSession.ts';
import { askDriverCard, type DriverCardQuestionDeps } from '../../../../../server/events/actions/driverCardQuestion.ts';
import type { PreparedRule } from '../../../../../server/events/rules/rule.ts';
import { ruleOf } from '../rules/playRules.ts';

const DEVICE = { deviceId: 'BUS1', incarnation: 1, archiveNumber: 4 };
const ANSWER = { kind: 'driverIdentity', status: 2, time: undefined } as const;

let rules: readonly PreparedRule[];
let asked: string[];
let told: Report[];
let answer: QueryResult<unknown>;
let archiveNumber: number;

beforeEach(() => {
  rules = [ruleOf('speeding'), ruleOf('no-driver-card')];
  [asked, told, archiveNumber] = [[], [], 4];
  answer = { ok: true, answer: ANSWER };
});

const deps: DriverCardQuestionDeps = {
  rulesOf: () => rules,
  sessionOf: () => ({
    archiveNumber,
    query: (async ({ kind }: { readonly kind: string }) => {
      asked.push(kind);
      return answer;
    }) as never,
  }),
  tell: (report) => told.push(report),
  now: () => 77,
};
const presence = (isOnline: boolean) => askDriverCard({ kind: 'presence', device: DEVICE, isOnline, atMs: 1 }, deps);

describe('the question for the driver card', () => {
  it('is asked at sign-in, and its answer goes the way of every report', async () => {
    await presence(true);
    expect(asked).toEqual(['queryDriver']);
    expect(told).toEqual([{ kind: 'message', device: DEVICE, body: ANSWER, receivedAtMs: 77 }]);
  });

  it('is not asked where no rule goes by it, of a terminal that leaves, or of a later device with the id', async () => {
    await presence(false);
    archiveNumber = 5;
    await presence(true);
    archiveNumber = 4;
    rules = [ruleOf('speeding')];
    await presence(true);
    expect(asked).toEqual([]);
  });

  it('may stay without an answer', async () => {
    answer = { ok: false, reason: 'timeout' };
    await presence(true);
    expect(told).toEqual([]);
  });
});
