import { create } from 'qrcode';
import { useTranslation } from 'react-i18next';

/** Modules of clear space around, which readers need. */
const QUIET = 4;

/** Dark on white in every colour scheme: readers expect it. */
export function QrCode({ text }: { readonly text: string }) {
  const { t } = useTranslation('Links');
  const { modules } = create(text, { errorCorrectionLevel: 'M' });
  const side = modules.size + 2 * QUIET;
  const dark = Array.from({ length: modules.size * modules.size }, (_, at) => at).filter((at) => modules.data[at]);
  const path = dark.map((at) => `M${(at % modules.size) + QUIET} ${Math.floor(at / modules.size) + QUIET}h1v1h-1z`);
  return (
    <svg
      role="img"
      aria-label={t('QR code of the address')}
      viewBox={`0 0 ${side} ${side}`}
      width={200}
      height={200}
      shapeRendering="crispEdges"
    >
      <rect width={side} height={side} fill="#ffffff" />
      <path d={path.join('')} fill="#000000" />
    </svg>
  );
}
