import { expect, it } from 'vitest';
import { imageBaseUrl } from '../../../../../server/firmware/images/imageAddress.ts';

const PARTS = { firmwareUrl: undefined, publicHost: undefined, isTls: false, port: 8080 };

it('names the setting, else the public host, else the address that the terminal has dialed', () => {
  expect(imageBaseUrl(PARTS, '10.0.0.1')).toBe('http://10.0.0.1:8080/firmware/');
  expect(imageBaseUrl(PARTS, 'fd00::1')).toBe('http://[fd00::1]:8080/firmware/');
  expect(imageBaseUrl({ ...PARTS, publicHost: 'fleet.example', isTls: true }, '10.0.0.1')).toBe(
    'https://fleet.example:8080/firmware/',
  );
  expect(imageBaseUrl({ ...PARTS, firmwareUrl: 'http://fw.example/x/', isTls: true }, '10.0.0.1')).toBe(
    'http://fw.example/x/firmware/',
  );
});
