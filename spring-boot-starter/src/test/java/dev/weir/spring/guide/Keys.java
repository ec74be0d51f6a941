package dev.weir.spring.guide;

import dev.weir.policy.ApiKeys;
import dev.weir.policy.ApiKeys.ApiKey;
import java.util.List;
import java.util.Map;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration
class Keys {
  @Bean
  ApiKeys apiKeys() {
    // By what clients send in X-API-Key: the key's id, whose it is, its tier, limits of its own.
    Map<String, ApiKey> keys = Map.of("s3cret", new ApiKey("key-17", "acme", "gold", List.of()));
    return keys::get;
  }
}
