import { describe, expect, it } from 'vitest';
import { ControlLines } from '../../../../server/ftp/protocol/controlLines.ts';
import { isOwnAddress, parseEprt, parsePort, pasvText } from '../../../../server/ftp/protocol/dataAddress.ts';
import { parseByteCount, parseFtpCommand } from '../../../../server/ftp/protocol/ftpCommand.ts';
import { nameOf, quoted, resolvePath } from '../../../../server/ftp/protocol/virtualPath.ts';
import { PublicAddress } from '../../../../server/ftp/publicAddress.ts';
import { isWhole } from '../../../../server/ftp/transfer/wholeness.ts';

describe('parseFtpCommand', () => {
  it.each([
    ['STOR a b.mp4', 'STOR', 'a b.mp4'],
    ['stor  a.mp4  ', 'STOR', 'a.mp4'],
    [' PWD', 'PWD', ''],
    ['QUITE', '', ''],
    ['PASS', 'PASS', ''],
    ['', '', ''],
    ['12 x', '', ''],
  ])('reads %j', (line, verb, argument) => expect(parseFtpCommand(line)).toEqual({ verb, argument }));
});

describe('parseByteCount', () => {
  it.each([
    ['0', 0],
    ['1234', 1_234],
    ['1234 R 100', 1_234],
    ['-1', undefined],
    ['1e3', undefined],
    ['9999999999999999', undefined],
    ['', undefined],
  ])('reads %j', (argument, count) => expect(parseByteCount(argument)).toBe(count));
});

describe('addresses of data connections', () => {
  it.each([
    ['10,0,0,7,200,10', { host: '10.0.0.7', port: 51_210 }],
    ['10,0,0,7,256,10', undefined],
    ['10,0,0,7,1', undefined],
    ['10.0.0.7,1,1', undefined],
  ])('PORT %s', (argument, address) => expect(parsePort(argument)).toEqual(address));

  it.each([
    ['|1|10.0.0.7|51210|', { host: '10.0.0.7', port: 51_210 }],
    ['!2!2001:db8::7!51210!', { host: '2001:db8::7', port: 51_210 }],
    ['|2|10.0.0.7|51210|', undefined],
    ['|1|10.0.0.7|51210', undefined],
    ['|1|10.0.0.7|51210|x', undefined],
    ['|3|10.0.0.7|51210|', undefined],
    ['', undefined],
  ])('EPRT %s', (argument, address) => expect(parseEprt(argument)).toEqual(address));

  it('are the terminal’s own, above the ports of the system', () => {
    expect(isOwnAddress({ host: '10.0.0.7', port: 1_024 }, '10.0.0.7')).toBe(true);
    expect(isOwnAddress({ host: '10.0.0.7', port: 1_023 }, '10.0.0.7')).toBe(false);
    expect(isOwnAddress({ host: '10.0.0.7', port: 70_000 }, '10.0.0.7')).toBe(false);
    expect(isOwnAddress({ host: '10.0.0.8', port: 1_024 }, '10.0.0.7')).toBe(false);
  });

  it('are written as PASV has them', () =>
    expect(pasvText({ host: '203.0.113.9', port: 7_022 })).toBe('203,0,113,9,27,110'));
});

describe('ControlLines', () => {
  const read = (...chunks: (string | number[])[]) => {
    const lines = new ControlLines(16);
    return chunks.flatMap((chunk) =>
      lines.push(typeof chunk === 'string' ? Buffer.from(chunk) : Uint8Array.from(chunk)),
    );
  };

  it('joins what comes in pieces, and takes a bare line feed too', () =>
    expect(read('NO', 'OP\r', '\nPWD\n')).toEqual([
      { kind: 'line', text: 'NOOP' },
      { kind: 'line', text: 'PWD' },
    ]));

  it('leaves a long line out, and goes on behind it', () =>
    expect(read(`${'x'.repeat(17)}\r\n`, 'NOOP\r\n')).toEqual([{ kind: 'too-long' }, { kind: 'line', text: 'NOOP' }]));

  it('leaves out the escapes of telnet, also where the urgent byte got lost', () => {
    const abor = { kind: 'line', text: 'ABOR' };
    expect(read([0xff, 0xf4, 0xff, 0xf2], 'ABOR\r\n')).toEqual([abor]);
    expect(read([0xff, 0xf4, 0xff], 'ABOR\r\n')).toEqual([abor]);
  });

  it('reads names in UTF-8 and in GBK', () => {
    expect(read('STOR 視\n')).toEqual([{ kind: 'line', text: 'STOR 視' }]);
    expect(read('STOR ', [0xca, 0xd3], '\n')).toEqual([{ kind: 'line', text: 'STOR 视' }]);
  });
});

describe('resolvePath', () => {
  it.each([
    ['/', 'a', '/a'],
    ['/a', '../../b', '/b'],
    ['/a', '/x//./y/', '/x/y'],
    ['/a', 'C:\\x\\..\\y', '/a/C:/y'],
    ['/', '..', '/'],
    ['/', 'a\0b', undefined],
    ['/', 'a/'.repeat(33), undefined],
  ])('from %s: %j', (folder, argument, path) => expect(resolvePath(folder, argument)).toBe(path));

  it('gives names and quotes', () => {
    expect([nameOf('/a/b.mp4'), nameOf('/')]).toEqual(['b.mp4', '']);
    expect(quoted('/a"b')).toBe('"/a""b"');
  });
});

describe('isWhole', () => {
  const ended = { isEnded: true, fileBytes: 100, receivedBytes: 40, announcedBytes: undefined, isControlOpen: true };
  it.each([
    ['a file that was closed in order', {}, true],
    ['one that was reset', { isEnded: false }, false],
    ['one whose terminal is gone', { isControlOpen: false }, false],
    ['one as long as announced', { announcedBytes: 100 }, true],
    ['a continuation as long as announced', { announcedBytes: 40 }, true],
    ['one that is shorter', { announcedBytes: 101 }, false],
  ])('%s', (_, change, expected) => expect(isWhole({ ...ended, ...change })).toBe(expected));
});

describe('PublicAddress', () => {
  it('looks a name up once a minute', async () => {
    let nowMs = 0;
    const asked: string[] = [];
    const lookup = async (host: string): Promise<string> => {
      asked.push(host);
      return `203.0.113.${asked.length}`;
    };
    const address = new PublicAddress({ publicHost: 'fleet.example', lookup, now: () => nowMs });
    const addresses = [await address.ofConnection('10.0.0.1'), await address.ofConnection('10.0.0.1')];
    nowMs = 60_000;
    addresses.push(await address.ofConnection('10.0.0.1'));
    expect(addresses).toEqual(['203.0.113.1', '203.0.113.1', '203.0.113.2']);
  });

  it('is the local one where there is no other, if it is one of IPv4', async () => {
    const lookup = () => Promise.reject(new Error('no such name'));
    const none = new PublicAddress({ publicHost: undefined, lookup, now: () => 0 });
    const unknown = new PublicAddress({ publicHost: 'fleet.example', lookup, now: () => 0 });
    const given = new PublicAddress({ publicHost: '203.0.113.9', lookup, now: () => 0 });
    expect(await none.ofConnection('10.0.0.1')).toBe('10.0.0.1');
    expect(await none.ofConnection('2001:db8::1')).toBeUndefined();
    expect(await unknown.ofConnection('10.0.0.1')).toBe('10.0.0.1');
    expect(await given.ofConnection('2001:db8::1')).toBe('203.0.113.9');
  });
});
