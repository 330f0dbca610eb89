import type { Health } from '@sinebar/client';
import { useQuery } from '@tanstack/react-query';
import { useFormats, useLanguage, useTexts } from '../../design/language/language';
import { PaneHead } from '../../design/page/pane-head';
import { Page } from '../../design/page/page';
import { Empty, Skeleton } from '../../design/states/pane-state';
import { healthQuery } from '../../server/queries/administration-queries';
import { useServer } from '../../server/server';
import { germanCheckName } from './german-health';
import { ServerInformation } from './server-information';
import { ServiceTable } from './service-table';
import { texts } from './texts';
import textStyles from '../../design/styles/text.module.css';

/** Whether the server works, what does not and why, and what the server is. */
export function HealthPage() {
  const t = useTexts(texts);
  const { time, number } = useFormats();
  const health = useQuery(healthQuery(useServer()));
  const answeredAt = time(new Date(health.dataUpdatedAt));
  return (
    <Page
      title={t.title}
      facts={
        <p className={textStyles.answer} role={health.isError ? 'alert' : 'status'}>
          <Answer health={health.data} error={health.error} answeredAt={answeredAt} />
        </p>
      }
    >
      {health.data !== undefined && (
        <>
          <PaneHead name={t.services} note={t.every(answeredAt, number(health.data.durationMs, 0))} />
          {health.data.details === undefined ? (
            <Empty>
              <p>{t.noDetails}</p>
            </Empty>
          ) : (
            <ServiceTable services={health.data.details} />
          )}
        </>
      )}
      {health.isPending && <Skeleton rows={4} />}
      <ServerInformation />
    </Page>
  );
}

function Answer({ health, error, answeredAt }: { health: Health | undefined; error: Error | null; answeredAt: string }) {
  const t = useTexts(texts);
  const { count } = useFormats();
  const isGerman = useLanguage() === 'de';
  if (error !== null) {
    return health === undefined ? (
      t.lost(error.message)
    ) : (
      <>
        {t.lost(error.message)} {t.lostSince(answeredAt)}
      </>
    );
  }
  if (health === undefined) return t.asking;
  const { status, details } = health;
  if (status === 'Healthy') return details === undefined ? t.healthyWhole : t.healthy(count(details.length));
  if (details === undefined) return t.unhealthyWhole;
  return t.unhealthy(
    details
      .filter((service) => service.status !== 'Healthy')
      .map(({ name }) => (isGerman ? (germanCheckName(name) ?? name) : name))
      .join(', '),
  );
}
