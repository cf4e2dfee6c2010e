package dev.blockscope.samples;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.h2.jdbcx.JdbcConnectionPool;

/** Rules by their names, in an embedded database; many threads may use it. */
final class RuleStore implements AutoCloseable {

    private final JdbcConnectionPool connections;

    private RuleStore(String url) throws SQLException {
        this.connections = JdbcConnectionPool.create(url, "rules", "");
        try (Connection connection = connections.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(
                    "create table if not exists rule (name varchar primary key, text varchar not null)");
        }
    }

    /** Opens a store that is gone when it is closed. */
    static RuleStore inMemory() throws SQLException {
        return new RuleStore("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
    }

    /** Opens the store in a file, or creates it. */
    static RuleStore in(Path file) throws SQLException {
        return new RuleStore("jdbc:h2:file:" + file.toAbsolutePath());
    }

    void put(String name, String text) throws SQLException {
        try (Connection connection = connections.getConnection();
                PreparedStatement statement =
                        connection.prepareStatement("merge into rule (name, text) values (?, ?)")) {
            statement.setString(1, name);
            statement.setString(2, text);
            statement.executeUpdate();
        }
    }

    Optional<String> find(String name) throws SQLException {
        try (Connection connection = connections.getConnection();
                PreparedStatement statement =
                        connection.prepareStatement("select text from rule where name = ?")) {
            statement.setString(1, name);
            try (ResultSet found = statement.executeQuery()) {
                return found.next() ? Optional.of(found.getString(1)) : Optional.empty();
            }
        }
    }

    List<String> names() throws SQLException {
        try (Connection connection = connections.getConnection();
                Statement statement = connection.createStatement();
                ResultSet found = statement.executeQuery("select name from rule order by name")) {
            List<String> names = new ArrayList<>();
            while (found.next()) {
                names.add(found.getString(1));
            }
            return names;
        }
    }

    /** Removes a rule. Returns false if there is none of that name. */
    boolean remove(String name) throws SQLException {
        try (Connection connection = connections.getConnection();
                PreparedStatement statement =
                        connection.prepareStatement("delete from rule where name = ?")) {
            statement.setString(1, name);
            return statement.executeUpdate() > 0;
        }
    }

    @Override
    public void close() throws SQLException {
        try (Connection connection = connections.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("shutdown");
        } finally {
            connections.dispose();
        }
    }
}
