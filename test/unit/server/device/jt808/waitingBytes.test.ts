import { beforeEach, describe, expect, it } from 'vitest';
import { type BytesHolder, WaitingBytes } from '../../../../../server/device/jt808/waitingBytes.ts';

const KIB = 1024;
const MIB = 1024 * KIB;

describe('WaitingBytes', () => {
  let waiting: WaitingBytes;
  let reached: Set<string>;
  let cut: string[];
  beforeEach(() => {
    reached = new Set();
    cut = [];
    waiting = new WaitingBytes(({ name }) => reached.add(name));
  });

  const hold = (name: string, heldBytes: number, at: Pick<BytesHolder, 'address' | 'hasSignedIn'>): void => {
    const holder = {
      ...at,
      heldBytes,
      cut: () => {
        cut.push(name);
        const given = holder.heldBytes;
        holder.heldBytes = 0;
        waiting.changed(holder, -given);
      },
    };
    waiting.changed(holder, heldBytes);
  };
  const strangers = (count: number, heldBytes: number, address = '10.0.0.1'): void => {
    for (let index = 0; index < count; index++) {
      hold(`${address} ${index}`, heldBytes, { address, hasSignedIn: false });
    }
  };

  it('cuts of an address beyond its share the stranger that has held something for longest', () => {
    strangers(513, 16 * KIB);
    expect(cut).toEqual(['10.0.0.1 0']);
    expect([...reached]).toEqual(['terminals.waiting-bytes.address']);
    expect(waiting.held).toBe(8 * MIB);
  });

  it('cuts strangers of the address that holds most, and no terminal because of them', () => {
    for (let index = 0; index < 500; index++) {
      hold(`terminal ${index}`, 80 * KIB, { address: '10.0.0.1', hasSignedIn: true });
    }
    hold('alone', 64 * KIB, { address: '10.9.9.9', hasSignedIn: false });
    for (let address = 0; address < 100; address++) strangers(50, 16 * KIB, `10.0.1.${address}`);
    expect(waiting.held).toBeLessThanOrEqual(64 * MIB);
    expect(cut.length).toBeGreaterThan(3_000);
    expect(cut.every((name) => name.startsWith('10.0.1.'))).toBe(true);
    expect([...reached]).toEqual(['terminals.waiting-bytes.all-unauthenticated']);
  });

  it('lets strangers make room for terminals, and then cuts the terminal that holds most', () => {
    strangers(100, 16 * KIB);
    hold('greedy', 100 * KIB, { address: '10.0.0.2', hasSignedIn: true });
    for (let index = 0; index < 4_200; index++) {
      hold(`terminal ${index}`, 16 * KIB, { address: '10.0.0.2', hasSignedIn: true });
    }
    expect(waiting.held).toBeLessThanOrEqual(64 * MIB);
    expect(cut.slice(0, 100).every((name) => name.startsWith('10.0.0.1'))).toBe(true);
    expect(cut[100]).toBe('greedy');
    expect([...reached]).toEqual(['terminals.waiting-bytes.all']);
  });
});
