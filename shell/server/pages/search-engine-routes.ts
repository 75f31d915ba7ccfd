import type { RemoteIndex } from '@daybook/contract/release';
import type { FastifyInstance } from 'fastify';

export function registerSearchEngineFiles(app: FastifyInstance, index: () => RemoteIndex, publicUrl: string): void {
  app.get('/robots.txt', (_, reply) =>
    reply.type('text/plain; charset=utf-8').send(`User-agent: *\nDisallow: /api/\nSitemap: ${publicUrl}/sitemap.xml\n`),
  );

  app.get('/sitemap.xml', (_, reply) => {
    const indexed = index().remotes.flatMap(({ routes }) => routes.filter(({ noIndex }) => !noIndex));
    const lines = [
      '<?xml version="1.0" encoding="UTF-8"?>',
      '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
      ...indexed.map(({ path }) => `  <url><loc>${publicUrl}${path}</loc></url>`),
      '</urlset>',
      '',
    ];
    return reply.type('application/xml; charset=utf-8').send(lines.join('\n'));
  });
}
