import type { ApiFailure } from '../../../shared/api/client.ts';
import { getReportKinds } from '../../../shared/api/reports/reports.ts';
import type { ReportKindInfo } from '../../../shared/protocol/api/reports/reports.ts';
import { useRecord } from '../../../shared/ui/records/useRecord.ts';

export interface LoadedReportKinds {
  /** The kinds that the member can request. */
  readonly list: readonly ReportKindInfo[];
  readonly isKnown: boolean;
  readonly failure: ApiFailure | undefined;
  readonly reload: () => void;
}

const NONE: readonly ReportKindInfo[] = [];

export function useReportKinds(): LoadedReportKinds {
  const { value, failure, reload } = useRecord({ key: ['report-kinds'], load: getReportKinds });
  return { list: value ?? NONE, isKnown: value !== undefined, failure, reload };
}
