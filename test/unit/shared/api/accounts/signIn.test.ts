import { describe, expect, test } from 'vitest';
import { returnAddress, signInAddress } from '../../../../../shared/api/accounts/signIn.ts';

const origin = 'https://fleet.example';
const none = { sid: undefined, nontop: false };

describe('the way to sign-in', () => {
  test('home is not worth naming', () => {
    expect(signInAddress('/', none)).toBe('/innerpage/login.html');
    expect(signInAddress(undefined, none)).toBe('/innerpage/login.html');
  });

  test('any other address is named, flags are handed on', () => {
    const address = signInAddress('/report?a=1&b=2#c', { sid: 'S', nontop: true });
    expect(address).toBe('/innerpage/login.html?return=%2Freport%3Fa%3D1%26b%3D2%23c&sid=S&nontop=1');
  });
});

describe('the way back', () => {
  test.each([
    ['/dashboard', '/dashboard'],
    ['/report?a=1#top', '/report?a=1#top'],
    ['https://fleet.example/fence', '/fence'],
    ['/report?sid=Old&a=1&nontop=1', '/report?a=1'],
  ])('%s leads to %s', (requests, expected) => {
    expect(returnAddress(`?return=${encodeURIComponent(requests)}`, origin)).toBe(expected);
  });

  test.each([
    'https://evil.example/',
    '//evil.example/',
    '/\\evil.example/',
    '\\\\evil.example',
    '/\t/evil.example',
    ' https://evil.example',
    'https:evil.example',
    'http://fleet.example/',
    'https://fleet.example:8443/',
    'https://fleet.example@evil.example/',
    'javascript:alert(1)',
    'data:text/html,x',
    'blob:https://fleet.example/1',
    'http://[',
    '/innerpage/login.html?return=/x',
  ])('%s leads home', (requests) => {
    const address = returnAddress(`?return=${encodeURIComponent(requests)}`, origin);
    // `https:evil.example` is a path of this site to the browser; whatever comes out stays here.
    expect(new URL(address, origin).origin).toBe(origin);
    expect(address).not.toMatch(/^\/[/\\]/);
    if (requests !== 'https:evil.example') expect(address).toBe('/');
  });

  test.each(['', '?return=', '?return=%2F'])('%s leads home', (search) => {
    expect(returnAddress(search, origin)).toBe('/');
  });

  test('a path that begins with several slashes names no host once the origin is gone', () => {
    const address = returnAddress(`?return=${encodeURIComponent(`${origin}//evil.example/x`)}`, origin);
    expect(address).toBe('/evil.example/x');
  });
});
