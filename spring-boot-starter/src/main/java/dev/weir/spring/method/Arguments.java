package dev.weir.spring.method;

import dev.weir.spring.RateLimitConfigurationException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.expression.EvaluationException;
import org.springframework.expression.ParseException;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.VariableReference;
import org.springframework.expression.spel.standard.SpelExpression;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.expression.spel.support.SimpleEvaluationContext;

/**
 * An expression over the arguments of a method: {@code #name}, and {@code #p0}, {@code #p1}, … for
 * those whose names the compiler has not kept. It reads properties and elements; it knows no types
 * and no beans, makes no objects, calls no methods and assigns nothing.
 */
final class Arguments {
  private static final SpelExpressionParser PARSER = new SpelExpressionParser();
  private static final DefaultParameterNameDiscoverer NAMES = new DefaultParameterNameDiscoverer();

  private final String what;
  private final SpelExpression expression;
  private final @Nullable String @Nullable [] names;

  /**
   * An expression.
   *
   * @param what where it stands, for complaints
   * @throws RateLimitConfigurationException if it is none
   */
  Arguments(String text, String what, Method method) {
    this.what = what;
    this.names = NAMES.getParameterNames(method);
    try {
      this.expression = PARSER.parseRaw(text);
      requireKnown(expression.getAST(), method);
    } catch (ParseException wrong) {
      throw new RateLimitConfigurationException(
          List.of(
              "%s must be an expression, got \"%s\": %s"
                  .formatted(what, text, wrong.getSimpleMessage())));
    }
  }

  /** What is not there would be null, and all clients one. */
  private void requireKnown(SpelNode node, Method method) {
    if (node instanceof VariableReference variable) {
      String name = variable.toStringAST().substring(1);
      if (!isKnown(name, method.getParameterCount())) {
        throw new RateLimitConfigurationException(
            List.of(
                "%s must be over the parameters of %s, got \"#%s\"; #p0 is the first one, and their names are known to code that is compiled with -parameters"
                    .formatted(what, method.getName(), name)));
      }
    }
    for (int i = 0; i < node.getChildCount(); i++) {
      requireKnown(node.getChild(i), method);
    }
  }

  private boolean isKnown(String name, int parameters) {
    if (names != null && Arrays.asList(names).contains(name)) {
      return true;
    }
    for (int i = 0; i < parameters; i++) {
      if (name.equals("p" + i)) {
        return true;
      }
    }
    return false;
  }

  /**
   * What it is for these arguments.
   *
   * @throws IllegalArgumentException if it cannot be told
   */
  @Nullable Object of(@Nullable Object[] arguments) {
    SimpleEvaluationContext context = SimpleEvaluationContext.forReadOnlyDataBinding().build();
    for (int i = 0; i < arguments.length; i++) {
      context.setVariable("p" + i, arguments[i]);
      String name = names == null ? null : names[i];
      if (name != null) {
        context.setVariable(name, arguments[i]);
      }
    }
    try {
      return expression.getValue(context);
    } catch (EvaluationException unknown) {
      throw new IllegalArgumentException(
          what + " cannot be told: " + unknown.getSimpleMessage(), unknown);
    }
  }
}
