// How a terminal is told to fetch an image.
import type { FirmwareModelContent } from '../../../shared/protocol/api/firmware/images.ts';
import { encodeGbk } from '../../device/jt808/codec/gbk.ts';
import type { MessageBody } from '../../device/jt808/codec/message.ts';
import type { DeliveredImage } from './delivery.ts';

export interface ImageAddress {
  readonly url: string;
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
}

/** Minutes that the terminal may take. */
const TIME_LIMIT_MINUTES = 60;
const UPGRADE = 1;

/**
 * 0x8105, command 1: URL, APN, user, password, address, TCP port, UDP port, manufacturer, hardware version, firmware version, time limit.
 * Undefined where a value would begin another field.
 */
export function upgradeOrder(address: ImageAddress, image: DeliveredImage): MessageBody | undefined {
  const { url, host, port, user, password } = address;
  const ownApn = '';
  const noUdpPort = '';
  const anyHardware = '';
  const fields = [
    url,
    ownApn,
    user,
    password,
    host,
    String(port),
    noUdpPort,
    image.vendor,
    anyHardware,
    image.firmwareVersion,
    String(TIME_LIMIT_MINUTES),
  ];
  if (fields.some((field) => field.includes(';'))) return undefined;
  return { kind: 'terminalControl', command: UPGRADE, parameter: fields.join(';') };
}

export const wantsUrl = ({ template }: Pick<FirmwareModelContent, 'template'>): boolean => template.includes('{url}');

/** A vendor's own text (0x8300), or its passthrough (0x8900). */
export function templateOrder(
  model: Pick<FirmwareModelContent, 'method' | 'template' | 'passthroughType'>,
  image: DeliveredImage,
  url: string,
): MessageBody {
  const text = fillTemplate(model.template, {
    url,
    version: image.firmwareVersion,
    bytes: String(image.bytes),
    sha256: image.sha256,
  });
  if (model.method === 'passthrough') {
    return { kind: 'passthroughDown', type: model.passthroughType, data: encodeGbk(text) };
  }
  // Neither shown nor read aloud: it is for the terminal, not for the driver.
  return { kind: 'text', flags: 0, text };
}

/** A name that there is no value for stays as it is, as braces of JSON do. */
function fillTemplate(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
}
