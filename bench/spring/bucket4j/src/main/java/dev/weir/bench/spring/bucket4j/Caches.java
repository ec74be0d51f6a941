package dev.weir.bench.spring.bucket4j;

import org.springframework.cache.annotation.EnableCaching;
import org.springframework.context.annotation.Configuration;

/** Without it Spring Boot makes no caches, and the starter finds no place for its buckets. */
@Configuration(proxyBeanMethods = false)
@EnableCaching
class Caches {}
