import { useTranslation } from 'react-i18next';
import type { Metric } from './metrics.ts';

export interface MetricTexts {
  readonly nameOf: (metric: Metric) => string;
  /** With its unit; a dash where nothing was reported. */
  readonly valueText: (metric: Metric, value: number | null) => string;
}

export function useMetricTexts(): MetricTexts {
  const { t } = useTranslation('GpsPlayback');
  const names: Readonly<Record<Metric, string>> = {
    speed: t('Speed'),
    altitude: t('Altitude'),
    fuel: t('Fuel'),
    cabin: t('Cabin temperature'),
    ignition: t('Ignition'),
    signal: t('Signal'),
  };
  const valueText = (metric: Metric, value: number | null): string => {
    if (value === null) return '–';
    switch (metric) {
      case 'speed':
        return `${Math.round(value)} km/h`;
      case 'altitude':
        return `${Math.round(value)} m`;
      case 'fuel':
        return `${value.toFixed(1)} L`;
      case 'cabin':
        return `${value.toFixed(1)} °C`;
      case 'ignition':
        return value > 0 ? t('On') : t('Off');
      case 'signal':
        return String(Math.round(value));
    }
  };
  return { nameOf: (metric) => names[metric], valueText };
}
