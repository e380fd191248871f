// The firmware of a simulated terminal: it takes images, restarts with them, and reports the result.
import { createHash } from 'node:crypto';
import { GeneralResult, MessageId } from '../../server/device/jt808/codec/codes.ts';
import { decodeGbk } from '../../server/device/jt808/codec/gbk.ts';
import { type BodyOf, encodeBody, type MessageBody, messageIdOf } from '../../server/device/jt808/codec/message.ts';
import type { After } from '../../server/faults/timers.ts';
import { hardwareOf, type VehicleProfile } from '../vehicleProfile.ts';
import { canDownload, ImageDownload } from './imageDownload.ts';
import { type ArrivedImage, ImagePackages, readImage } from './imagePackages.ts';

export interface TerminalFirmwareDeps {
  readonly profile: VehicleProfile;
  readonly send: (body: MessageBody) => void;
  /** Sends a message that has to be acknowledged. */
  readonly report: (body: MessageBody) => void;
  /** Cuts all connections, and dials again after this time; undefined: never. */
  readonly reboot: (awayMs: number | undefined) => void;
  readonly resetParameters: () => void;
  readonly runAfter: After;
}

/** An image that has arrived completely. */
export interface TakenImage {
  readonly version: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** An order to download an image. */
interface OrderedImage {
  readonly url: string;
  readonly user: string;
  readonly password: string;
  readonly version: string;
}

/** The last answer has to go out before the connection is cut. */
const INSTALL_MS = 500;
const REBOOT_MS = 2_000;
const CommandCode = { Upgrade: 1, Restart: 4, FactoryReset: 5 } as const;
const UpgradeResult = { Done: 0, Failed: 1 } as const;
/** Positions of the fields of 0x8105, command 1. */
const FIELDS = { url: 0, user: 2, password: 3, version: 9 } as const;
const MAX_TAKEN = 20;

/** Firmware whose state outlasts connections and restarts, like flash memory. */
export class TerminalFirmware {
  readonly #deps: TerminalFirmwareDeps;
  readonly #packages: ImagePackages;
  #version: string;
  #taken: readonly TakenImage[] = [];
  #download: ImageDownload | undefined;
  #cancelInstall: (() => void) | undefined;
  #rebootsLeft = 0;
  /** The result to report after the next sign-in. */
  #result: BodyOf<'upgradeResult'> | undefined;

  constructor(deps: TerminalFirmwareDeps) {
    const { profile } = deps;
    this.#deps = deps;
    this.#version = hardwareOf(profile).firmwareVersion;
    this.#packages = new ImagePackages(profile.quirks?.firmware?.forgetEveryPackage ?? 0);
  }

  /** The version that 0x0107 reports. */
  get version(): string {
    return this.#version;
  }

  /** Share of the image coming in packages that has arrived, from 0 (none is coming) to 1. */
  get arrivedShare(): number {
    return this.#packages.arrivedShare;
  }

  /** Oldest first. */
  get taken(): readonly TakenImage[] {
    return this.#taken;
  }

  /** Whether the message concerns the firmware. */
  obey(serial: number, body: MessageBody): boolean {
    switch (body.kind) {
      case 'part':
        if (body.id !== MessageId.upgradePackage) return false;
        this.#takePackage(serial, body);
        return true;
      case 'upgradePackage':
        this.#answer(serial, body);
        this.#takeBody(encodeBody(body, this.#deps.profile.edition), 5);
        return true;
      case 'terminalControl':
        return this.#control(serial, body);
      case 'text':
        return this.#takeText(serial, body, body.text);
      case 'passthroughDown':
        return this.#takeText(serial, body, decodeGbk(body.data));
      default:
        return false;
    }
  }

  signedIn(): void {
    if (this.#rebootsLeft > 0) {
      this.#rebootsLeft--;
      this.#deps.reboot(REBOOT_MS);
      return;
    }
    const result = this.#result;
    this.#result = undefined;
    if (result !== undefined) this.#deps.report(result);
  }

  close(): void {
    this.#cancelInstall?.();
    this.#download?.close();
    this.#download = undefined;
  }

  #takePackage(serial: number, body: BodyOf<'part'>): void {
    const step = this.#packages.take(serial, body.part, body.bytes);
    this.#answer(serial, body);
    if (step.kind === 'missing') {
      const { firstSerial, numbers } = step;
      this.#deps.send({ kind: 'terminalResendRequest', firstSerial, numbers });
    }
    if (step.kind === 'complete')
      this.#takeBody(step.body, this.#deps.profile.quirks?.firmware?.manufacturerBytes ?? 5);
  }

  #takeBody(body: Uint8Array, manufacturerBytes: 5 | 11): void {
    const image = readImage(body, manufacturerBytes);
    if (image === undefined)
      this.#restartWith({ kind: 'upgradeResult', type: body[0] ?? 0, result: UpgradeResult.Failed });
    else this.#install(image);
  }

  #control(serial: number, body: BodyOf<'terminalControl'>): boolean {
    switch (body.command) {
      case CommandCode.Upgrade: {
        const fields = body.parameter.split(';');
        const field = (name: keyof typeof FIELDS): string => fields[FIELDS[name]] ?? '';
        this.#startDownload(serial, body, {
          url: field('url'),
          user: field('user'),
          password: field('password'),
          version: field('version'),
        });
        return true;
      }
      case CommandCode.Restart:
        this.#answer(serial, body);
        this.#restartWith(undefined);
        return true;
      case CommandCode.FactoryReset:
        this.#answer(serial, body);
        this.#deps.resetParameters();
        this.#restartWith(undefined);
        return true;
      default:
        return false;
    }
  }

  /** Handles a text of the form that a vendor might have: `UPGRADE http://... version`. */
  #takeText(serial: number, body: MessageBody, text: string): boolean {
    const [, url, version] = /^UPGRADE (\S+) (\S+)/.exec(text) ?? [];
    if (url === undefined || version === undefined) return false;
    this.#startDownload(serial, body, { url, user: '', password: '', version });
    return true;
  }

  #startDownload(serial: number, order: MessageBody, { url: text, user, password, version }: OrderedImage): void {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    if (url === undefined || !canDownload(url)) {
      this.#answer(serial, order, GeneralResult.NotSupported);
      return;
    }
    this.#answer(serial, order);
    this.#download?.close();
    this.#download = new ImageDownload({
      source: { url, user, password },
      rangeBytes: this.#deps.profile.quirks?.firmware?.rangeBytes ?? 0,
      runAfter: this.#deps.runAfter,
      onEnd: (data) => {
        if (data === undefined) this.#deps.report({ kind: 'upgradeResult', type: 0, result: UpgradeResult.Failed });
        else this.#install({ type: 0, version, data });
      },
    });
  }

  #install({ type, version, data }: ArrivedImage): void {
    const { outcome = 'installed', afterReboot, installMs } = this.#deps.profile.quirks?.firmware ?? {};
    const sha256 = createHash('sha256').update(data).digest('hex');
    this.#taken = [...this.#taken, { version, bytes: data.length, sha256 }].slice(-MAX_TAKEN);
    const isSilent = outcome === 'unreported' || outcome === 'stays';
    const result = outcome === 'failed' ? UpgradeResult.Failed : UpgradeResult.Done;
    this.#cancelInstall?.();
    this.#cancelInstall = this.#deps.runAfter(installMs ?? INSTALL_MS, () => {
      if (outcome === 'installed' || outcome === 'unreported') this.#version = version;
      this.#result = isSilent ? undefined : { kind: 'upgradeResult', type, result };
      this.#rebootsLeft = afterReboot === 'again' ? 1 : 0;
      this.#deps.reboot(afterReboot === 'never-back' ? undefined : REBOOT_MS);
    });
  }

  #restartWith(result: BodyOf<'upgradeResult'> | undefined): void {
    this.#result = result;
    this.#cancelInstall?.();
    this.#cancelInstall = this.#deps.runAfter(INSTALL_MS, () => this.#deps.reboot(REBOOT_MS));
  }

  #answer(replySerial: number, to: MessageBody, result: number = GeneralResult.Ok): void {
    this.#deps.send({ kind: 'terminalGeneralReply', replySerial, replyId: messageIdOf(to), result });
  }
}
