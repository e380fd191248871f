// The words of images and models in the user's language.
import { useTranslation } from 'react-i18next';
import type { FirmwareMethod, FirmwarePart } from '../../../../shared/protocol/firmware/firmwareWords.ts';
import type { PackagePacing } from '../models/modelForm.ts';

export function usePartTexts(): Readonly<Record<FirmwarePart, string>> {
  const { t } = useTranslation('Firmware');
  return { terminal: t('Terminal'), 'card-reader': t('Card reader'), gnss: t('GNSS module') };
}

export function useMethodTexts(): Readonly<Record<FirmwareMethod, string>> {
  const { t } = useTranslation('Firmware');
  return {
    packages: t('Packages (0x8108)'),
    http: t('Download by HTTP (0x8105)'),
    ftp: t('Download by FTP (0x8105)'),
    text: t('Text command (0x8300)'),
    passthrough: t('Vendor data (0x8900)'),
  };
}

export function usePacingTexts(): Readonly<Record<PackagePacing, string>> {
  const { t } = useTranslation('Firmware');
  return { acknowledged: t('By acknowledgement'), time: t('By time') };
}

/** One sentence for each. */
export function useMethodHints(): Readonly<Record<FirmwareMethod, string>> {
  const { t } = useTranslation('Firmware');
  return {
    packages: t(
      'The server sends the image in packages over the signaling connection. Updates in packages start over after a lost connection.',
    ),
    http: t('The terminal downloads the image from the server by HTTP, and continues where a lost connection stopped.'),
    ftp: t('The terminal downloads the image from the server by FTP, and continues where a lost connection stopped.'),
    text: t("The server sends the manufacturer's text command, which names the address to download from."),
    passthrough: t("The server sends the manufacturer's own message, which names the address to download from."),
  };
}
