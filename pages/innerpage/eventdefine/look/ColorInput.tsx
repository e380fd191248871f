import Box from '@mui/material/Box';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Severity } from '../../../../shared/protocol/events/eventWords.ts';
import { severityAccent } from '../../../../shared/ui/events/severityColors.ts';
import type { Field } from '../../../../shared/ui/form/useForm.ts';
import { offeredColors, PALETTE, PALETTE_COLORS, type PaletteColor } from './palette.ts';
import { SwatchGroup } from './SwatchGroup.tsx';

export interface ColorInputProps {
  /** '' follows the severity. */
  readonly field: Field<string>;
  readonly severity: Severity;
}

export function ColorInput({ field, severity }: ColorInputProps) {
  const { t } = useTranslation('EventDefine');
  const nameOf = useColorName();
  const swatches = useMemo(
    () =>
      ['', ...offeredColors(field.value)].map((color) => ({
        value: color,
        label: nameOf(color),
        drawing: <Box sx={color === '' ? ringOf(severity) : { ...DOT, backgroundColor: color }} />,
      })),
    [nameOf, field.value, severity],
  );
  return <SwatchGroup field={field} label={t('Color')} swatches={swatches} />;
}

/**
 * Returns a function that names a color; one that is not in the palette is named by its number. The function stays the same until the
 * language changes.
 */
export function useColorName(): (color: string) => string {
  const { t } = useTranslation('EventDefine');
  return useMemo(() => {
    const names = paletteNames(t);
    const byColor = new Map<string, string>(PALETTE_COLORS.map((name) => [PALETTE[name], names[name]]));
    return (color) => (color === '' ? t('As severity') : (byColor.get(color) ?? color));
  }, [t]);
}

function paletteNames(t: (key: string) => string): Readonly<Record<PaletteColor, string>> {
  return {
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
}

function ringOf(severity: Severity) {
  return { ...DOT, borderWidth: 5, borderStyle: 'solid', ...severityAccent(severity, 'borderColor') };
}

const DOT = { width: 24, height: 24, borderRadius: '50%' } as const;
