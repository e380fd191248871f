import { describe, expect, it } from 'vitest';
import { LANE_PACE, PAIR_PACE, type Pace, type PaceRule, paceAfter } from '../../../../server/auth/signInPace.ts';
import { givesWay } from '../../../../server/auth/signInQueue.ts';
import { SignInThrottle, type Throttled } from '../../../../server/auth/signInThrottle.ts';
import { ManualTimers } from '../../../support/fakes/manualTimers.ts';

describe('the pace of attempts', () => {
  const gaps = (rule: PaceRule, attempts: number): number[] => {
    let pace: Pace | undefined;
    return Array.from({ length: attempts }, () => {
      pace = paceAfter(pace, 0, rule);
      return pace.nextAtMs;
    });
  };

  it('leaves three mistakes free, and then half a second between two of one address on one account', () => {
    expect(gaps(PAIR_PACE, 6)).toEqual([0, 0, 0, 500, 500, 500]);
  });

  it('grows to five seconds for a browser that has signed in before, which nobody else waits behind', () => {
    expect(gaps(LANE_PACE, 9)).toEqual([0, 0, 0, 500, 1_000, 2_000, 4_000, 5_000, 5_000]);
  });

  it('forgets one failure each half minute', () => {
    let pace = paceAfter(undefined, 0, PAIR_PACE);
    for (let attempt = 0; attempt < 5; attempt++) pace = paceAfter(pace, 0, PAIR_PACE);
    expect(paceAfter(pace, 4 * 30_000, PAIR_PACE).nextAtMs).toBe(120_000);
  });
});

interface Answer {
  readonly right: boolean;
}

/** What a test sends, and what became of it. */
interface Sent {
  readonly sentAtMs: number;
  answer: Throttled<Answer> | undefined;
  /** When it was looked at. */
  checkedAtMs: number | undefined;
}

const CHECK_MS = 40;

function createScene() {
  const timers = new ManualTimers();
  const limits: string[] = [];
  const { now, runAfter } = timers;
  const throttle = new SignInThrottle({ now, runAfter, onLimit: ({ name }) => void limits.push(name) });
  let checks = 0;

  const send = (account: string, address: string, options: { right?: boolean; lane?: string } = {}): Sent => {
    const sent: Sent = { sentAtMs: now(), answer: undefined, checkedAtMs: undefined };
    const { right = false, lane } = options;
    const check = () => {
      checks += 1;
      sent.checkedAtMs = now();
      return new Promise<Answer>((resolve) => runAfter(CHECK_MS, () => resolve({ right })));
    };
    void throttle.attempt({ account, address, lane }, check).then((answer) => {
      sent.answer = answer;
    });
    return sent;
  };
  /** Lets time pass in small steps, so that what was answered asks for the next thing. */
  const pass = async (ms: number, step = CHECK_MS / 2) => {
    for (let passed = 0; passed < ms; passed += step) {
      timers.advance(step);
      for (let turn = 0; turn < 8; turn++) await Promise.resolve();
    }
  };
  /** Sends again whenever it was answered, for ever. */
  const keepSending = (account: string, address: string) => {
    const again = () => {
      const check = () => {
        checks += 1;
        return new Promise<Answer>((resolve) => runAfter(CHECK_MS, () => resolve({ right: false })));
      };
      void throttle.attempt({ account, address }, check).then((answer) => runAfter(answer.ok ? 1 : 1_000, again));
    };
    again();
  };
  /** One attempt each twelve milliseconds, twice what two checks can do. */
  const flood = async (ms: number, sendOne: (index: number) => void) => {
    for (let index = 0; index * 12 < ms; index++) {
      sendOne(index);
      await pass(12, 12);
    }
  };
  return { throttle, send, pass, flood, keepSending, limits, checks: () => checks, now };
}

const wasIn = (sent: Sent): boolean => sent.answer?.ok === true && sent.answer.value.right;

describe('sign-in under attack', () => {
  it('lets the owner in within seconds behind 17 wrong passwords from the same address', async () => {
    const { send, pass } = createScene();
    for (let attempt = 0; attempt < 17; attempt++) send('admin', '192.0.2.1');
    const owner = send('admin', '192.0.2.1', { right: true });
    await pass(8_000);
    expect(wasIn(owner)).toBe(true);
  });

  it('lets the owner in from that address while 17 wrong passwords are always under way', async () => {
    const { send, pass, keepSending } = createScene();
    for (let attacker = 0; attacker < 17; attacker++) keepSending('admin', '192.0.2.1');
    await pass(30_000);
    const owner = send('admin', '192.0.2.1', { right: true });
    await pass(12_000);
    expect(wasIn(owner)).toBe(true);
  });

  it('lets a known browser in at once from an address and on an account that are attacked', async () => {
    const { send, pass, keepSending } = createScene();
    for (let attacker = 0; attacker < 200; attacker++) keepSending('admin', '192.0.2.1');
    await pass(20_000);
    const owner = send('admin', '192.0.2.1', { right: true, lane: 'browser A' });
    await pass(200);
    expect(wasIn(owner)).toBe(true);
  });

  it('lets others in at once while eight addresses send as much as they can, on their accounts and on others', async () => {
    const { send, pass, keepSending } = createScene();
    for (let attacker = 0; attacker < 8 * 64; attacker++)
      keepSending(`name${attacker % 40}`, `198.51.100.${attacker % 8}`);
    await pass(5_000);
    const elsewhere = send('ann', '203.0.113.9', { right: true });
    const onAttacked = send('name1', '203.0.113.10', { right: true });
    await pass(400);
    expect([wasIn(elsewhere), wasIn(onAttacked)]).toEqual([true, true]);
  });

  it('slows many addresses on one account down together, and lets a quiet one in between', async () => {
    const { send, pass, keepSending, checks } = createScene();
    for (let attacker = 0; attacker < 300; attacker++)
      keepSending('admin', `198.51.${Math.floor(attacker / 100)}.${attacker}`);
    await pass(200_000, 100);
    const before = checks();
    await pass(60_000, 100);
    expect(checks() - before).toBeLessThanOrEqual(121);
    const owner = send('admin', '203.0.113.9', { right: true });
    await pass(1_500);
    expect(wasIn(owner)).toBe(true);
  });

  it('lets a known browser in at once, each time, while new addresses with made-up names take every check', async () => {
    const { send, pass, flood } = createScene();
    const waits: number[] = [];
    for (let signIn = 0; signIn < 3; signIn++) {
      await flood(2_000, (index) => send(`name${signIn} ${index}`, `2001:db8:${signIn}:${index.toString(16)}::1`));
      const owner = send('ann', '192.0.2.1', { right: true, lane: 'browser A' });
      await pass(200);
      expect(wasIn(owner)).toBe(true);
      waits.push((owner.checkedAtMs ?? 0) - owner.sentAtMs);
    }
    expect(Math.max(...waits)).toBeLessThanOrEqual(CHECK_MS);
  });

  it('leaves strangers one of the two checks while known browsers of many accounts take what they can', async () => {
    const { send, pass } = createScene();
    for (let index = 0; index < 200; index++) send(`name${index}`, '198.51.100.1', { lane: `browser ${index}` });
    const stranger = send('ann', '203.0.113.9', { right: true });
    await pass(200);
    expect(wasIn(stranger)).toBe(true);
  });

  it('lets somebody who was here before in within half a minute while new addresses keep coming', async () => {
    const { send, pass, flood } = createScene();
    send('ann', '192.0.2.1', { right: true });
    await pass(100);
    const stranger = (index: number) => void send(`name${index}`, `2001:db8:0:${index.toString(16)}::1`);
    await flood(3_000, stranger);
    const owner = send('ann', '192.0.2.1', { right: true });
    await flood(27_000, (index) => stranger(250 + index));
    expect(wasIn(owner)).toBe(true);
  });

  it('refuses attempts on the account that has most of them, and none on another whose check can start', async () => {
    const { send, pass } = createScene();
    for (let index = 0; index < 20; index++) send('admin', `192.0.2.${index}`);
    await pass(5_000);
    const attack = Array.from({ length: 1_024 }, (_, index) => send('admin', `10.0.${index >> 8}.${index & 255}`));
    await pass(700);
    for (let index = 0; index < 4; index++) attack.push(send('admin', `10.1.0.${index}`));
    const others = Array.from({ length: 6 }, (_, index) => send(`name${index}`, '203.0.113.9', { right: true }));
    await pass(300);
    expect(others.every(wasIn)).toBe(true);
    expect(attack.some(({ answer }) => answer?.ok === false)).toBe(true);
  });

  it('refuses nobody for strangers who are too many: the address with the most gives way', async () => {
    const { send, pass, limits } = createScene();
    const flood = Array.from({ length: 20 * 64 }, (_, index) => send(`name${index}`, `198.51.100.${index % 20}`));
    const owner = send('ann', '203.0.113.9', { right: true });
    await pass(800);
    expect(limits).toContain('signin.attempts.strangers');
    expect(flood.some(({ answer }) => answer?.ok === false)).toBe(true);
    expect(wasIn(owner)).toBe(true);
  });
});

describe('a member who holds many sessions', () => {
  const setUp = (send: ReturnType<typeof createScene>['send'], name: string): Sent[] =>
    Array.from({ length: 300 }, (_, index) =>
      send(`set-up of ${name}`, '192.0.2.1', { lane: `session ${index % 100} of ${name}` }),
    );

  it('keeps no known browser and no session of others waiting', async () => {
    const { send, pass, limits } = createScene();
    const flood = setUp(send, 'mallory');
    const owner = send('ann', '203.0.113.9', { right: true, lane: 'browser A' });
    const proof = send('password of bob', '203.0.113.10', { right: true, lane: 'session B' });
    await pass(300);
    expect([wasIn(owner), wasIn(proof)]).toEqual([true, true]);
    expect(limits).toContain('signin.attempts.lanes-account');
    expect(flood.filter(({ answer }) => answer?.ok === false).length).toBeGreaterThanOrEqual(280);
  });

  it('gives way with others like it, when they are too many together', async () => {
    const { send, pass, limits } = createScene();
    for (let member = 0; member < 20; member++) setUp(send, `member ${member}`);
    const owner = send('ann', '203.0.113.9', { right: true, lane: 'browser A' });
    await pass(3_000);
    expect(limits).toContain('signin.attempts.lanes');
    expect(wasIn(owner)).toBe(true);
  });
});

describe('who gives way', () => {
  const waits = (account: string, share: string, standing: { isReady?: boolean; turn?: number } = {}) => ({
    account,
    share,
    isReady: false,
    turn: 0,
    ...standing,
  });
  const chosen = (...waiting: readonly ReturnType<typeof waits>[]) =>
    waiting.indexOf(givesWay(waiting, (each) => each) as never);

  it('is of the address with the most, or of the account with the most', () => {
    expect(chosen(waits('ann', 'A'), waits('bob', 'A'), waits('cho', 'B'))).toBe(1);
    expect(chosen(waits('ann', 'A'), waits('ann', 'B'), waits('cho', 'C'))).toBe(1);
  });

  it('is none that can start while another cannot', () => {
    expect(chosen(waits('ann', 'A'), waits('ann', 'B', { isReady: true }))).toBe(0);
    expect(chosen(waits('ann', 'A', { isReady: true }), waits('ann', 'B', { isReady: true }))).toBe(1);
  });

  it('is one whose address had its turn last, and of these the last that came', () => {
    expect(chosen(waits('ann', 'A', { turn: 3 }), waits('ann', 'B', { turn: 7 }), waits('ann', 'C'))).toBe(1);
    expect(chosen(waits('ann', 'A'), waits('ann', 'B'), waits('ann', 'C'))).toBe(2);
  });

  it('is nobody where nobody waits', () => {
    expect(givesWay([], () => ({ isReady: true, turn: 0 }))).toBeUndefined();
  });
});

describe('the throttle', () => {
  it('counts a known browser apart: its own failures slow it, and no stranger', async () => {
    const { send, pass } = createScene();
    for (let attempt = 0; attempt < 8; attempt++) {
      send('ann', '192.0.2.1', { lane: 'browser A' });
      await pass(5_100, 100);
    }
    send('ann', '192.0.2.1', { lane: 'browser A' });
    await pass(100);
    const slowed = send('ann', '192.0.2.1', { lane: 'browser A', right: true });
    const stranger = send('ann', '192.0.2.1', { right: true });
    await pass(100);
    expect([wasIn(slowed), wasIn(stranger)]).toEqual([false, true]);
    await pass(5_000, 100);
    expect(wasIn(slowed)).toBe(true);
  });

  it('begins anew for an address when the owner of the account has come from there', async () => {
    const { send, pass } = createScene();
    for (let attempt = 0; attempt < 6; attempt++) send('ann', '192.0.2.1');
    await pass(5_000);
    send('ann', '192.0.2.1', { right: true });
    await pass(1_000);
    const mistyped = [send('ann', '192.0.2.1'), send('ann', '192.0.2.1'), send('ann', '192.0.2.1')];
    await pass(200);
    expect(mistyped.every(({ answer }) => answer !== undefined)).toBe(true);
  });

  it('slows down an address that tries one name after another, and no other address', async () => {
    const { send, pass } = createScene();
    const sprayed = Array.from({ length: 60 }, (_, index) => send(`name${index}`, '192.0.2.1'));
    const other = send('name59', '203.0.113.9', { right: true });
    await pass(3_000);
    expect(wasIn(other)).toBe(true);
    const looked = sprayed.filter(({ checkedAtMs }) => checkedAtMs !== undefined).length;
    expect(looked).toBeGreaterThan(20);
    expect(looked).toBeLessThan(40);
  });

  it('counts the addresses of one IPv6 subscriber as one', async () => {
    const { send, pass } = createScene();
    const sent = Array.from({ length: 8 }, (_, index) => send('ann', `2001:db8:1:2::${index}`));
    await pass(400);
    expect(sent.filter(({ checkedAtMs }) => checkedAtMs !== undefined)).toHaveLength(4);
  });

  it('runs two checks at a time', async () => {
    const { send, pass } = createScene();
    const sent = Array.from({ length: 5 }, (_, index) => send(`name${index}`, `192.0.2.${index}`));
    await pass(0);
    expect(sent.filter(({ checkedAtMs }) => checkedAtMs === 0)).toHaveLength(2);
    await pass(200);
    expect(sent.every(({ answer }) => answer?.ok === true)).toBe(true);
  });

  it('gives its places back when a check fails', async () => {
    const { throttle } = createScene();
    const broken = () => Promise.reject(new Error('database'));
    const attempt = { account: 'ann', address: '192.0.2.1', lane: 'browser A' };
    for (let tried = 0; tried < 3; tried++) await expect(throttle.attempt(attempt, broken)).rejects.toThrow('database');
    const right = throttle.attempt({ account: 'bob', address: '192.0.2.1' }, async () => ({ right: true }));
    expect(await right).toMatchObject({ ok: true });
  });
});
