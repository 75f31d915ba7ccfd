import 'reflect-metadata';
import { randomInt } from 'node:crypto';
import { BadRequestException, Body, Controller, Module, Post } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Column, DataSource, Entity, JoinColumn, ManyToOne, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';

/**
 * A signup as it is often written: look for the subscriber, save one where there is none, save the entry and the event,
 * each as an entity, in a transaction. It stores the same rows as the backend; two signups at once with one new address
 * would fail. No limits, cookie, log, metrics or security headers.
 */
@Entity()
class Subscriber {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id!: number;

  @Column('text')
  email!: string;
}

@Entity()
class WaitlistEntry {
  @PrimaryColumn('bigint')
  id!: number;

  @ManyToOne(() => Subscriber)
  @JoinColumn({ name: 'subscriber_id' })
  subscriber!: Subscriber;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt!: Date;
}

@Entity()
class OutboxEvent {
  @PrimaryGeneratedColumn('uuid')
  id!: string;

  @Column('text')
  type!: string;

  @Column('jsonb')
  data!: object;
}

@Controller('api/waitlist')
class WaitlistController {
  constructor(private readonly dataSource: DataSource) {}

  @Post()
  async signUp(@Body() { email }: { email?: unknown }) {
    if (typeof email !== 'string' || !email.includes('@')) throw new BadRequestException('No address.');
    const id = randomInt(1, 2 ** 48 - 1);
    await this.dataSource.transaction(async (manager) => {
      const known = await manager.findOneBy(Subscriber, { email });
      const subscriber = known ?? (await manager.save(manager.create(Subscriber, { email })));
      const entry = await manager.save(manager.create(WaitlistEntry, { id, subscriber }));
      const data = { entryId: id, email, signedUpAt: entry.createdAt };
      await manager.save(manager.create(OutboxEvent, { type: 'signup.created', data }));
    });
    return { entry: { id, email } };
  }
}

const { DATABASE_URL = '', DATABASE_POOL_SIZE, PORT } = process.env;

@Module({
  imports: [
    TypeOrmModule.forRoot({
      type: 'postgres',
      url: DATABASE_URL,
      poolSize: Number(DATABASE_POOL_SIZE),
      entities: [Subscriber, WaitlistEntry, OutboxEvent],
      installExtensions: false,
    }),
  ],
  controllers: [WaitlistController],
})
class NaiveModule {}

const app = await NestFactory.create(NaiveModule, new FastifyAdapter(), { logger: ['error', 'warn'] });
await app.listen(Number(PORT), '127.0.0.1');
