import type { FastifyReply } from 'fastify';

export const sendHtml = (reply: FastifyReply, page: string): FastifyReply =>
  reply.type('text/html; charset=utf-8').send(page);

export const sendText = (reply: FastifyReply, lines: readonly string[]): FastifyReply =>
  reply.type('text/plain; charset=utf-8').send(`${lines.join('\n')}\n`);
