import Download from '@mui/icons-material/FileDownloadOutlined';
import Button from '@mui/material/Button';
import { useState } from 'react';
import type { ApiResult } from '../../api/client.ts';
import { startDownload, tellFailure } from './startDownload.ts';

export interface DownloadButtonProps {
  readonly label: string;
  /** The address of a file that the gateway makes. */
  readonly request: () => Promise<ApiResult<string>>;
}

export function DownloadButton({ label, request }: DownloadButtonProps) {
  const [isBusy, setBusy] = useState(false);
  const download = async () => {
    setBusy(true);
    const result = await request();
    setBusy(false);
    if (!result.ok) return tellFailure(result);
    startDownload(result.value);
  };
  return (
    <Button size="small" startIcon={<Download />} loading={isBusy} onClick={() => void download()}>
      {label}
    </Button>
  );
}
