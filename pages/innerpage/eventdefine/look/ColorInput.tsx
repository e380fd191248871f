import Box from '@mui/material/Box';
import { useTranslation } from 'react-i18next';
import type { Severity } from '../../../../shared/protocol/events/eventWords.ts';
import { severityAccent } from '../../../../shared/ui/events/severityColors.ts';
import type { Field } from '../../../../shared/ui/form/useForm.ts';
import { offeredColors, PALETTE, type PaletteColor } from './palette.ts';
import { SwatchGroup } from './SwatchGroup.tsx';

export interface ColorInputProps {
  /** '' follows the severity. */
  readonly field: Field<string>;
  readonly severity: Severity;
}

export function ColorInput({ field, severity }: ColorInputProps) {
  const { t } = useTranslation('EventDefine');
  const nameOf = useColorName();
  const colors = offeredColors(field.value).map((color) => ({
    value: color,
    label: nameOf(color),
    drawing: <Box component="span" sx={{ ...DOT, backgroundColor: color }} />,
  }));
  const ofSeverity = {
    value: '',
    label: nameOf(''),
    drawing: <Box component="span" sx={{ ...RING, ...severityAccent(severity, 'borderColor') }} />,
  };
  return <SwatchGroup field={field} label={t('Color')} swatches={[ofSeverity, ...colors]} />;
}

/** Of a color that is not in the palette, its number. */
export function useColorName(): (color: string) => string {
  const { t } = useTranslation('EventDefine');
  const names: Record<PaletteColor, string> = {
    red: t('Red'),
    orange: t('Orange'),
    amber: t('Amber'),
    green: t('Green'),
    teal: t('Teal'),
    blue: t('Blue'),
    indigo: t('Indigo'),
    purple: t('Purple'),
    pink: t('Pink'),
    brown: t('Brown'),
    gray: t('Gray'),
  };
  const byColor = new Map(
    Object.entries(PALETTE).map(([name, color]) => [color as string, names[name as PaletteColor]]),
  );
  return (color) => (color === '' ? t('As severity') : (byColor.get(color) ?? color));
}

const DOT = { width: 24, height: 24, borderRadius: '50%' } as const;
const RING = { ...DOT, borderWidth: 5, borderStyle: 'solid' } as const;
