import { useEffect, useEffectEvent, useState } from 'react';
import { applyParts, dropPartsImport, getPartsImport, planParts } from '../../../../shared/api/backup/parts.ts';
import type { ApiResult } from '../../../../shared/api/client.ts';
import { errorText } from '../../../../shared/i18n/errorText.ts';
import type { PartsImport, PartsImportState } from '../../../../shared/protocol/api/system/backupParts.ts';
import type { BackupPart } from '../../../../shared/protocol/backup/partWords.ts';

const PROGRESS_MS = 1_000;

export interface PartsImportControl {
  /** Undefined until one is begun. */
  readonly current: PartsImport | undefined;
  readonly isBusy: boolean;
  readonly failure: string | undefined;
  /** '': with the key that the installation keeps. */
  readonly plan: (parts: readonly BackupPart[], key: string) => void;
  readonly apply: () => void;
  /** Goes back to the choice of parts and ends a running import. */
  readonly drop: () => void;
}

/** The steps of an import: a dry run, and then exactly what it has shown. */
export function usePartsImport(backup: number): PartsImportControl {
  const [current, setCurrent] = useState<PartsImport>();
  const [isAsking, setAsking] = useState(false);
  const [failure, setFailure] = useState<string>();
  const isRunning = current?.state === 'running' || current?.state === 'importing';
  const take = (result: ApiResult<PartsImportState>) => {
    setAsking(false);
    if (result.ok) setCurrent(result.value.current ?? undefined);
    else setFailure(errorText(result));
  };
  const ask = (call: () => Promise<ApiResult<PartsImportState>>) => {
    setAsking(true);
    setFailure(undefined);
    void call().then(take);
  };
  const look = useEffectEvent(() => void getPartsImport().then(take));
  useEffect(() => {
    if (!isRunning) return undefined;
    const timer = setInterval(() => look(), PROGRESS_MS);
    return () => clearInterval(timer);
  }, [isRunning]);
  return {
    current,
    isBusy: isAsking || isRunning,
    failure,
    plan: (parts, key) => ask(() => planParts({ backup, key, parts })),
    apply: () => ask(() => applyParts(current?.id ?? '')),
    drop: () => {
      setCurrent(undefined);
      setFailure(undefined);
      void dropPartsImport();
    },
  };
}
