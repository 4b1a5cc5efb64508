import type { Alert } from 'container-tracking-sdk';

export async function tell(_alert: Alert): Promise<void> {}
